import ControlProtocol
import Terminal

/// The screen without a call: rooms to go back to, the devices, what is missing.
enum HomeView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        let size = surface.size
        let keyRows = size.rows >= 10 ? 2 : size.rows >= 4 ? 1 : 0
        let host = model.state.core.host
        surface.put(
            host.isEmpty ? "hoot" : "hoot @ \(host)", row: 0, column: 1, style: look[.headerRoom])
        MicrophoneView.draw(model, on: &surface, row: min(1, size.rows - 1), look)
        var row = 3
        let end = size.rows - keyRows - (size.rows >= 8 ? 1 : 0)
        for (text, scope) in lines(model, look) where row < end {
            let column = surface.put(text, row: row, column: 1, style: look[scope], limit: size.columns - 2)
            if text.hasPrefix(microphoneLabel) { drawMeter(model, on: &surface, row: row, after: column, look) }
            row += 1
        }
        if row < size.rows - keyRows {
            MessagesView.draw(model, on: &surface, rows: row..<size.rows - keyRows, look)
        }
        if keyRows > 0 {
            KeyLinesView.draw(model, on: &surface, rows: size.rows - keyRows..<size.rows, look)
        }
    }

    private static let microphoneLabel = "  microphone  "

    /// Nothing is sent to anybody, so the meter is hollow.
    private static func drawMeter(
        _ model: ConsoleModel, on surface: inout Surface, row: Int, after column: Int, _ look: Look
    ) {
        let start = max(column + 2, 40)
        let width = min(30, surface.size.columns - start - 1)
        Meter.draw(
            model.level(of: ConsoleModel.me), peak: model.peak(of: ConsoleModel.me), isHollow: true, on: &surface,
            row: row, column: start, width: width, look)
    }

    private static func lines(_ model: ConsoleModel, _ look: Look) -> [(String, Scope)] {
        var lines: [(String, Scope)] = []
        if let call = model.ringingCall {
            lines.append(("\(call.caller ?? "somebody") rings from \(call.room): a answers, x rejects", .headerWarning))
            lines.append(("", .text))
        }
        lines.append(("Rooms", .panelTitle))
        if model.state.recentRooms.isEmpty {
            lines.append(("  none yet: o opens one here, l joins by a link", .textFaint))
        }
        for (index, room) in model.state.recentRooms.enumerated() {
            let isSelected = index == model.homeSelection
            lines.append(
                (
                    "\(isSelected ? ">" : " ") \(index + 1) \(room.name) @ \(room.host)",
                    isSelected ? .personSelected : .text
                ))
        }
        for (room, waiting) in model.state.waiting.sorted(by: { $0.key < $1.key }) {
            let link = waiting.isConnected ? "waiting" : "trying to wait"
            lines.append(("  \(link) in \(room) as \(waiting.name)", .text))
        }
        lines.append(("", .text))
        lines.append(("Sound", .panelTitle))
        lines += devices(model.state.audio, look)
        for problem in model.state.problems {
            lines.append(("  ! \(problem.text)", .messageWarning))
            if let command = problem.command { lines.append(("    \(command)", .textFaint)) }
        }
        return lines
    }

    private static func devices(_ audio: AudioState, _ look: Look) -> [(String, Scope)] {
        let server = audio.server.isConnected ? audio.server.name : audio.server.reason ?? audio.server.name
        return [
            ("  server      \(server.isEmpty ? look.glyphs.unknown : server)", .text),
            (microphoneLabel + "\(audio.input?.description ?? "chosen when a call begins")", .text),
            ("  speaker     \(audio.output?.description ?? "chosen when a call begins")", .text),
        ]
    }
}
