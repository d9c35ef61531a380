import Terminal
import Testing

@testable import Console

/// Where panels stand, as pictures: a letter for each row of the screen. `RECORD=1` writes them anew.
struct LayoutPictureTests {
    private static let heights = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 30, 43, 60, 200]

    @Test func panelsStandWhereThePicturesSay() throws {
        var lines: [String] = []
        let calls: [(String, people: Int, loss: Int, stage: ScreenLayout.StageWish)] = [
            ("four people", 4, 8, .init(leastHeight: 1)),
            ("four people, pictures", 4, 8, .init(leastHeight: 5, grows: true)),
            ("four people, losses in a line", 4, 1, .init(leastHeight: 1)),
            ("eight people", 8, 11, .init(leastHeight: 1)),
            ("five hundred people", 500, 11, .init(leastHeight: 1)), ("alone", 1, 0, .init()),
        ]
        for (name, people, loss, stage) in calls {
            lines.append("# \(name)")
            for rows in Self.heights {
                lines.append(picture(rows: rows, people, loss, stage, zoomed: nil))
            }
        }
        for panel in Panel.allCases where panel != .stage {
            lines.append("# only \(panel.rawValue)")
            for rows in [2, 3, 4, 6, 24] {
                lines.append(picture(rows: rows, 4, 8, .init(leastHeight: 5, grows: true), zoomed: panel))
            }
        }
        try Golden.check(lines.joined(separator: "\n") + "\n", "layout")
    }

    /// Header, microphone, people, stage, losses, texts (messages), keys; `.` is blank. Long runs are counted.
    private func picture(
        rows: Int, _ people: Int, _ loss: Int, _ stage: ScreenLayout.StageWish, zoomed: Panel?
    ) -> String {
        let layout = ScreenLayout(
            size: Size(rows: rows, columns: 80), peopleCount: people, lossHeight: loss, stage: stage, zoomed: zoomed)
        var letters = [Character](repeating: ".", count: rows)
        let header = layout.header.map { $0..<$0 + 1 }
        let parts: [(Character, Range<Int>?)] = [
            ("H", header), ("M", layout.microphone..<layout.microphone + 1), ("P", layout.people),
            ("S", layout.stage), ("L", layout.loss), ("T", layout.messages), ("K", layout.keyLines),
        ]
        for (letter, range) in parts { for row in range ?? 0..<0 { letters[row] = letter } }
        guard rows > 60 else { return String(letters) }
        var runs: [(Character, Int)] = []
        for letter in letters {
            if runs.last?.0 == letter { runs[runs.count - 1].1 += 1 } else { runs.append((letter, 1)) }
        }
        return runs.map { "\($0.0)×\($0.1)" }.joined(separator: " ")
    }
}
