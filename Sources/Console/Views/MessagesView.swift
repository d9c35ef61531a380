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
            let unread =
                model.unreadChat == 0 ? "" : "\(model.unreadChat) unread, \(model.keys.key(of: "messages")) shows all"
            surface.title(
                "Messages", right: unread, row: rows.lowerBound, isFocused: model.focusedPanel == .messages, look)
            rows = rows.lowerBound + 1..<rows.upperBound
        }
        var lines: [Line] = []
        for message in model.log.messages.reversed() where lines.count < rows.count {
            lines = self.lines(message, model, width: surface.size.columns - 1) + lines
        }
        // Of a message that does not fit, the beginning is what tells most.
        if rows.count == 1, let last = model.log.messages.last {
            lines = [self.line(last, model, width: surface.size.columns - 1, look)]
        }
        for (row, line) in zip(rows, lines.suffix(rows.count)) {
            let column = surface.put(line.time, row: row, column: 1, style: look[.textFaint])
            surface.put(look.glyphs.text(line.text), row: row, column: column, style: look[line.scope])
        }
    }

    /// A message or a part of it: the time of day stands before its first line.
    struct Line {
        var time: String
        var text: String
        var scope: Scope
    }

    /// A message in as many lines of `width` columns as it needs.
    static func lines(_ message: ConsoleMessage, _ model: ConsoleModel, width: Int) -> [Line] {
        let time = time(message, model, width: width)
        let blank = String(repeating: " ", count: time.count)
        let texts = message.text.split(separator: "\n").flatMap {
            Page.wrapped(String($0), width: width - time.count)
        }
        return texts.enumerated().map {
            Line(time: $0.offset == 0 ? time : blank, text: $0.element, scope: message.weight.scope)
        }
    }

    private static func line(_ message: ConsoleMessage, _ model: ConsoleModel, width: Int, _ look: Look) -> Line {
        let time = time(message, model, width: width)
        let text = look.glyphs.text(message.text.replacing("\n", with: " "))
        return Line(
            time: time, text: DisplayWidth.clip(text, width - time.count, ellipsis: look.glyphs.ellipsis),
            scope: message.weight.scope)
    }

    private static func time(_ message: ConsoleMessage, _ model: ConsoleModel, width: Int) -> String {
        width + 1 >= leastTimed ? timeOfDay(message.wallMs, model.utcOffsetSeconds) + " " : ""
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
        case .chat: .messageChat
        case .warning: .messageWarning
        case .error: .messageError
        }
    }
}
