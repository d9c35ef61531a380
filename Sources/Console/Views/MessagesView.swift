import Terminal

/// The newest messages, under their title where there is room for one, the last one lowest.
enum MessagesView {
    /// The least rows that have a title.
    private static let leastTitled = 3

    /// The narrowest screen that has times of day.
    private static let leastTimed = 40

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        guard !model.log.messages.isEmpty else { return }
        var rows = rows
        if rows.count >= leastTitled {
            surface.title("Messages", row: rows.lowerBound, look)
            rows = rows.lowerBound + 1..<rows.upperBound
        }
        for (row, message) in zip(rows, model.log.messages.suffix(rows.count)) {
            put(message, model, on: &surface, row: row, look)
        }
    }

    private static func put(
        _ message: ConsoleMessage, _ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look
    ) {
        let isTimed = surface.size.columns >= leastTimed
        let time = isTimed ? " " + timeOfDay(message.wallMs, model.utcOffsetSeconds) + " " : " "
        let column = surface.put(time, row: row, column: 0, style: look[.textFaint])
        let room = surface.size.columns - column
        let text = DisplayWidth.clip(look.glyphs.text(message.text), room, ellipsis: look.glyphs.ellipsis)
        surface.put(text, row: row, column: column, style: look[message.weight.scope])
    }

    static func text(_ message: ConsoleMessage, _ model: ConsoleModel) -> String {
        timeOfDay(message.wallMs, model.utcOffsetSeconds) + " " + message.text
    }

    static func timeOfDay(_ wallMs: Int, _ offset: Int) -> String {
        let seconds = (wallMs / 1000 + offset) % 86_400
        return HeaderView.duration(from: 0, to: max(0, seconds) * 1000)
    }
}

extension ConsoleMessage.Weight {
    var scope: Scope {
        switch self {
        case .plain: .message
        case .warning: .messageWarning
        case .error: .messageError
        }
    }
}
