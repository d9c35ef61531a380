import Terminal

/// The newest messages, the last one lowest.
enum MessagesView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        let messages = model.log.messages.suffix(max(0, min(rows.count, 12)))
        for (offset, message) in messages.reversed().enumerated() {
            let row = rows.upperBound - 1 - offset
            put(message, model, on: &surface, row: row, look)
        }
    }

    static func put(_ message: ConsoleMessage, _ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look)
    {
        let column = surface.put(
            " " + timeOfDay(message.wallMs, model.utcOffsetSeconds) + " ", row: row, column: 0, style: look[.textFaint])
        let scope: Scope =
            switch message.weight {
            case .plain: .message
            case .warning: .messageWarning
            case .error: .messageError
            }
        let room = surface.size.columns - column
        let text = DisplayWidth.clip(look.glyphs.text(message.text), room, ellipsis: look.glyphs.ellipsis)
        surface.put(text, row: row, column: column, style: look[scope])
    }

    static func timeOfDay(_ wallMs: Int, _ offset: Int) -> String {
        let seconds = (wallMs / 1000 + offset) % 86_400
        return HeaderView.duration(from: 0, to: max(0, seconds) * 1000)
    }
}
