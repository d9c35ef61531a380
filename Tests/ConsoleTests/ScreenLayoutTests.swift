import Terminal
import Testing

@testable import Console

struct ScreenLayoutTests {
    @Test func panelsNeverOverlapNorLeaveTheScreenAtAnySize() {
        for rows in 1...200 {
            for people in [1, 2, 4, 8, 30] {
                let layout = ScreenLayout(
                    size: Size(rows: rows, columns: 80), peopleCount: people,
                    lossHeight: people > 1 ? max(10, people + 3) : 0,
                    stage: .init(leastHeight: rows % 3 == 0 ? 5 : 1, grows: rows % 3 == 0, isLarge: people == 4))
                var used = [layout.microphone] + (layout.header.map { [$0] } ?? [])
                for part in [layout.people, layout.stage, layout.loss, layout.messages, layout.keyLines] {
                    used += part.map(Array.init) ?? []
                }
                #expect(Set(used).count == used.count && used.allSatisfy { (0..<rows).contains($0) })
            }
        }
    }

    @Test func panelsGiveWayInTheirOrder() {
        let shown = (1...32).reversed().map { rows -> String in
            let layout = ScreenLayout(
                size: Size(rows: rows, columns: 80), peopleCount: 4, lossHeight: 10,
                stage: .init(leastHeight: 5, grows: true))
            let keys = layout.keyLines?.count ?? 0
            return (keys > 1 ? "K" : "") + (layout.stage.map { $0.count >= 5 } == true ? "S" : "")
                + (layout.loss != nil ? "L" : "") + (keys > 0 ? "k" : "")
                + (layout.people != nil ? "P" : "") + (layout.header != nil ? "H" : "") + "M"
        }
        var order: [String] = []
        for step in shown where order.last != step { order.append(step) }
        #expect(order.first == "KSLkPHM" && order.last == "M")
        let gone = order.map { Set($0) }
        for (before, after) in zip(gone, gone.dropFirst()) where !after.contains("K") || !before.contains("L") {
            #expect(after.isSubset(of: before))
        }
        #expect(order.contains("SLkPHM") && order.contains("LkPHM") && order.contains("kPHM"))
        #expect(order.suffix(3) == ["PHM", "PM", "M"], "people go last")
    }

    /// As many people as a conference has stand side by side on the largest screen, and every panel has its place.
    @Test func fiveHundredPeopleFitOnTheLargestScreen() throws {
        let fixture = try Fixture.withMany(500)
        let lines = fixture.screen(rows: 200, columns: 500)
        #expect(lines.count { $0.hasPrefix("─ ") } == 4, "people, stage, losses, messages")
        let text = lines.joined(separator: "\n")
        for number in 1...500 { #expect(text.contains("person \(number) ")) }
        #expect(lines.last?.contains("q leave or detach…") == true)
    }

    @Test func theMicrophoneLineIsOnEveryScreen() throws {
        let fixture = try Fixture.inCall()
        for (rows, columns) in [(1, 8), (2, 10), (3, 20), (6, 20), (24, 80), (200, 500)] {
            #expect(fixture.screen(rows: rows, columns: columns).contains { $0.contains("MIC LIVE") })
        }
    }
}
