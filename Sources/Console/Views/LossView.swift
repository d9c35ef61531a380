import ControlProtocol
import Terminal

/// Who loses whom, and all about the selected person's two streams.
enum LossView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        guard let person = model.selectedPerson else { return }
        let matrixWidth = LossMatrixView.width(model)
        let showsMatrix = surface.size.columns >= matrixWidth + 46
        let path = person.path.map { "\(person.name): \($0)" + (person.isRelayed ? ", relayed" : ", no relay") }
        surface.title(
            showsMatrix ? "Who loses whom, 10 s" : "Loss of \(person.name)", right: look.glyphs.text(path ?? ""),
            row: rows.lowerBound, look)
        let body = rows.lowerBound + 1..<rows.upperBound
        var column = 1
        if showsMatrix {
            LossMatrixView.draw(model, on: &surface, rows: body, width: matrixWidth, look)
            for row in body {
                surface.put(look.glyphs.divider, row: row, column: matrixWidth + 1, style: look[.panelRule])
            }
            column = matrixWidth + 3
        }
        drawPerson(person, model, on: &surface, rows: body, column: column, look)
    }

    private static func drawPerson(
        _ person: Participant, _ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, column: Int,
        _ look: Look
    ) {
        let figures = model.statistics.people[person.id]
        let width = surface.size.columns - column
        var lines: [(String, Scope)] = [(heading(width: width), .textFaint)]
        lines.append((stream("AR", figures?.received, width: width, look), Loss.scope(figures?.received?.lossPercent)))
        lines.append((stream("AS", figures?.sent, width: width, look), Loss.scope(figures?.sent?.lossPercent)))
        lines.append((details(figures, look), .text))
        lines.append((box(model.statistics.box), .textFaint))
        if let code = person.authenticationString {
            lines.append(("code: \(code)" + (person.isVerified ? "  verified" : "  compare it aloud, then y"), .text))
        }
        for (row, line) in zip(rows, lines) {
            surface.put(look.glyphs.text(line.0), row: row, column: column, style: look[line.1], limit: width - 1)
        }
    }

    private static let sparkWidth = 15

    private static func heading(width: Int) -> String {
        "       lost    now   " + (width >= 50 ? pad("60 s", sparkWidth + 1) : "")
            + (width >= 66 ? "  late  concealed" : "") + (width >= 76 ? "     kb/s" : "")
    }

    private static func stream(_ name: String, _ figures: StreamFigures?, width: Int, _ look: Look) -> String {
        let unknown = look.glyphs.unknown
        var line = name + left(figures?.lostCount.map(String.init) ?? unknown, 9)
        line += left(Loss.text(figures?.lossPercent, look), 7) + "   "
        if width >= 50 {
            line += pad(figures?.lossHistory.map { Loss.sparkline($0, width: sparkWidth, look) } ?? "", sparkWidth + 1)
        }
        if width >= 66 {
            line +=
                left(Loss.text(figures?.latePercent, look), 6) + left(Loss.text(figures?.concealedPercent, look), 11)
        }
        if width >= 76 { line += left(figures?.bitrateKbps.map { "\(Int($0.rounded()))" } ?? unknown, 9) }
        return line
    }

    private static func details(_ figures: ParticipantFigures?, _ look: Look) -> String {
        let unknown = look.glyphs.unknown
        let received = figures?.received
        func whole(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? unknown }
        var parts = ["buffer \(whole(received?.bufferMs))/\(whole(received?.bufferTargetMs)) ms"]
        parts.append("jitter \(whole(received?.jitterMs)) ms")
        if let burst = received?.burstLength { parts.append("burst \(Loss.tenths(burst))") }
        if let repaired = received?.repairedPercent { parts.append("repaired \(whole(repaired))%") }
        parts.append("RTT \(whole(figures?.roundTripMs)) ms")
        parts.append("MOS \(figures?.mos.map(Loss.tenths) ?? unknown) est.")
        return parts.joined(separator: "  ")
    }

    private static func box(_ box: BoxFigures) -> String {
        "this box: underruns \(box.underruns)  late ticks \(box.lateTicks)  socket drops \(box.socketDrops)"
            + (box.cpuPercent.map { "  cpu \(Loss.tenths($0))%" } ?? "")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func left(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
