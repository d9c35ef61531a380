import ControlProtocol
import Terminal

/// The first line: room, people, time, output, worst link, consoles. What does not fit is left out from the right.
enum HeaderView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look) {
        var column = 1
        if model.calls.count > 1 {
            column = drawCalls(model, on: &surface, row: row, look) + 2
        } else if let call = model.call {
            column = surface.put("\(call.room) @ \(call.host)", row: row, column: 1, style: look[.headerRoom]) + 3
        }
        for (text, isWarning) in fields(model) {
            let width = DisplayWidth.of(text)
            guard column + width < surface.size.columns else { continue }
            let style = look[isWarning ? .headerWarning : .header]
            column = surface.put(look.glyphs.text(text), row: row, column: column, style: style) + 3
        }
    }

    private static func drawCalls(_ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look) -> Int {
        var column = 1
        for (index, call) in model.calls.enumerated() {
            let isActive = call.id == model.state.activeCall
            let text = "\(index + 1) \(call.room)" + (isActive ? "" : call.isHeld ? " held" : "")
            let style = look[isActive ? .headerRoom : .header]
            column = surface.put(isActive ? "[\(text)]" : " \(text) ", row: row, column: column, style: style) + 1
        }
        return column
    }

    private static func fields(_ model: ConsoleModel) -> [(String, isWarning: Bool)] {
        guard let call = model.call else { return [] }
        var fields: [(String, isWarning: Bool)] = []
        if case .lost = model.link { fields.append(("core lost", true)) }
        if let notice = notice(model, call) { fields.append((notice, true)) }
        fields.append(("\(call.people.count + 1) in call", false))
        if let start = call.connectedAt { fields.append((duration(from: start, to: model.now.wallMs), false)) }
        if let output = model.state.audio.output {
            let standIn = output.standsInFor.map { " for \($0)" } ?? ""
            fields.append(("out: \(output.description)\(standIn)", output.standsInFor != nil))
        } else {
            fields.append((model.state.audio.server.isConnected ? "no output" : "no sound server", true))
        }
        if let worst = worst(model) { fields.append((worst, true)) }
        if model.state.core.consoles > 1 { fields.append(("\(model.state.core.consoles) consoles", false)) }
        return fields
    }

    private static func notice(_ model: ConsoleModel, _ call: CallState) -> String? {
        if call.phase == .reconnecting { return "reconnecting…" }
        if call.phase == .connecting || call.phase == .dialing { return "connecting…" }
        if let leave = call.aloneLeaveAt, leave - model.now.wallMs < 5 * 60_000 {
            return "alone: leaving in \(duration(from: model.now.wallMs, to: leave))"
        }
        return nil
    }

    /// The person whose link loses most, if it is worth a word.
    private static func worst(_ model: ConsoleModel) -> String? {
        let losses = model.statistics.people.compactMap { id, figures in
            figures.received?.lossPercent.map { (id, $0) }
        }
        guard let (id, loss) = losses.max(by: { ($0.1, $1.0) < ($1.1, $0.0) }), loss >= 2 else { return nil }
        return "worst: \(model.name(of: id)), " + (loss >= 5 ? "bad" : "poor")
    }

    /// `hh:mm:ss` between two times in milliseconds.
    static func duration(from start: Int, to end: Int) -> String {
        let seconds = max(0, end - start) / 1000
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
