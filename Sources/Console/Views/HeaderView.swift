import ControlProtocol
import Terminal

/// The first line: room, people, time, output, worst link, consoles. What matters least is left out first.
enum HeaderView {
    /// One piece of the line.
    private struct Field {
        var text: String
        var isWarning = false
        /// What is given room first.
        var rank = 1
        /// The columns that it can be cut to; `nil`: it is whole or not there.
        var least: Int?
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look) {
        var column = 1
        if model.calls.count > 1 {
            for entry in calls(model) {
                let style = look[entry.isActive ? .headerRoom : .header]
                column = surface.put(entry.text, row: row, column: entry.columns.lowerBound, style: style) + 3
            }
        } else if let call = model.call {
            column = surface.put("\(call.room) @ \(call.host)", row: row, column: 1, style: look[.headerRoom]) + 3
        }
        for field in fitting(fields(model), columns: surface.size.columns - column, look) {
            let style = look[field.isWarning ? .headerWarning : .header]
            column = surface.put(look.glyphs.text(field.text), row: row, column: column, style: style) + 3
        }
    }

    /// The fields that have room, in their order: warnings get it first, the others by their rank.
    private static func fitting(_ fields: [Field], columns: Int, _ look: Look) -> [Field] {
        func rank(_ index: Int) -> Int { fields[index].isWarning ? 0 : fields[index].rank }
        var room = columns
        var kept: [Int: Field] = [:]
        for index in fields.indices.sorted(by: { (rank($0), $0) < (rank($1), $1) }) {
            var field = fields[index]
            if let least = field.least, room >= least {
                field.text = DisplayWidth.clip(field.text, room, ellipsis: look.glyphs.ellipsis)
            }
            let width = DisplayWidth.of(field.text)
            guard width <= room else { continue }
            kept[index] = field
            room -= width + 3
        }
        return fields.indices.compactMap { kept[$0] }
    }

    /// A call on the line of several calls.
    struct CallEntry {
        /// From 1, as the keys that switch count.
        var number: Int
        var text: String
        var isActive: Bool
        var columns: Range<Int>
    }

    /// Where the calls stand; none where there is only one.
    static func calls(_ model: ConsoleModel) -> [CallEntry] {
        guard model.calls.count > 1 else { return [] }
        var column = 1
        return model.calls.enumerated().map { index, call in
            let isActive = call.id == model.state.activeCall
            let words = "\(index + 1) \(call.room)" + (isActive ? "" : call.isHeld ? " held" : "")
            let text = isActive ? "[\(words)]" : " \(words) "
            let columns = column..<column + DisplayWidth.of(text)
            column = columns.upperBound + 1
            return CallEntry(number: index + 1, text: text, isActive: isActive, columns: columns)
        }
    }

    private static func fields(_ model: ConsoleModel) -> [Field] {
        guard let call = model.call else { return [] }
        var fields: [Field] = []
        if case .lost = model.link { fields.append(Field(text: "core lost", isWarning: true)) }
        if let notice = notice(model, call) { fields.append(Field(text: notice, isWarning: true)) }
        fields.append(Field(text: "\(call.people.count + 1) in call"))
        if let start = call.connectedAt { fields.append(Field(text: duration(from: start, to: model.now.wallMs))) }
        if model.unreadChat > 0 { fields.append(Field(text: "\(model.unreadChat) unread", isWarning: true)) }
        fields.append(output(model.state.audio))
        if let worst = worst(model) { fields.append(Field(text: worst, isWarning: true)) }
        // Over SSH it matters whose microphone it is.
        let here = model.state.core.host
        if !here.isEmpty, here != call.host { fields.append(Field(text: "on \(here)", rank: 4)) }
        if model.state.core.consoles > 1 {
            fields.append(Field(text: "\(model.state.core.consoles) consoles", rank: 3))
        }
        return fields
    }

    private static func output(_ audio: AudioState) -> Field {
        guard let output = audio.output else {
            return Field(text: audio.server.isConnected ? "no output" : "no sound server", isWarning: true)
        }
        let standIn = output.standsInFor.map { " for \($0)" } ?? ""
        let volume = audio.volumePercent == 100 ? "" : " \(audio.volumePercent)%"
        return Field(
            text: "out: \(output.description)\(standIn)\(volume)", isWarning: output.standsInFor != nil, rank: 2,
            least: 12)
    }

    private static func notice(_ model: ConsoleModel, _ call: CallState) -> String? {
        if call.outage == .gaveUp { return "room server given up" }
        if call.phase == .reconnecting { return reconnecting(model, call) }
        if call.phase == .knocking { return "knocking…" }
        if let knocks = call.knocks, let knock = knocks.first {
            return knocks.count == 1 ? "\(knock.name) knocks" : "\(knocks.count) people knock"
        }
        if call.phase == .connecting || call.phase == .dialing { return "connecting…" }
        if let end = call.expiresAt, end - model.now.wallMs < 5 * 60_000 {
            return "your time ends in \(duration(from: model.now.wallMs, to: end))"
        }
        if let leave = call.aloneLeaveAt, leave - model.now.wallMs < 5 * 60_000 {
            return "alone: leaving in \(duration(from: model.now.wallMs, to: leave))"
        }
        return nil
    }

    /// How long the room's server has not been heard, and when it is tried again.
    private static func reconnecting(_ model: ConsoleModel, _ call: CallState) -> String {
        let silence = call.lastHeardAt.map { " \(max(0, model.now.wallMs - $0) / 1000) s" } ?? ""
        let what = call.outage == .interrupted ? "interrupted\(silence)" : "reconnecting…\(silence)"
        guard let attempt = call.reconnectAttempt, let next = call.nextReconnectAt else { return what }
        let seconds = max(0, (next - model.now.wallMs + 999) / 1000)
        return what + (silence.isEmpty ? " " : ", ") + "try \(attempt)" + (seconds > 0 ? " in \(seconds) s" : "")
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
