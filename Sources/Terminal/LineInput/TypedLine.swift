package import Primitives

/// A line that is being typed at a terminal that echoes nothing itself: edited as the kernel would, so that it is known
/// whether somebody types. What is echoed holds no escape sequence.
package struct TypedLine: Sendable {
    package enum Event: Hashable, Sendable {
        case line(String)
        /// Ctrl-D where nothing is typed.
        case end
        /// Ctrl-C.
        case interrupt
        /// Ctrl-Z.
        case suspend
    }

    /// What is typed so far.
    package private(set) var text = ""
    private var parser = InputParser()
    /// The longest line in bytes; what is beyond is not taken.
    static let limit = 4096

    package init() {}

    /// When a key is decided that may be the beginning of a sequence.
    package var deadline: MonoTime? { parser.deadline }

    /// Takes what was typed. Returns what to echo, for a terminal of so many columns, and what it means, in order.
    package mutating func receive(_ bytes: RawSpan, columns: Int, at now: MonoTime) -> (echo: String, events: [Event]) {
        var out = Outbox<InputEvent>()
        parser.receive(bytes, at: now, into: &out)
        return take(out.events, columns: columns)
    }

    /// Time passes; nothing is to be echoed for it.
    package mutating func tick(at now: MonoTime) {
        var out = Outbox<InputEvent>()
        parser.tick(at: now, into: &out)
    }

    private mutating func take(_ inputs: [InputEvent], columns: Int) -> (echo: String, events: [Event]) {
        var echo = ""
        var events: [Event] = []
        for case .key(let key) in inputs {
            switch key {
            case Key(.enter):
                echo += "\n"
                events.append(.line(text))
                text = ""
            case Key(.backspace): echo += erase(1, columns: columns)
            case Key("u", .control): echo += erase(text.count, columns: columns)
            case Key("w", .control): echo += erase(lastWordCount, columns: columns)
            case Key("d", .control) where text.isEmpty: events.append(.end)
            case Key("c", .control):
                echo += "^C\n"
                text = ""
                events.append(.interrupt)
            case Key("z", .control): events.append(.suspend)
            default:
                guard case .character(let character) = key.code, key.modifiers.isEmpty,
                    text.utf8.count + character.utf8.count <= Self.limit
                else { continue }
                text.append(character)
                echo.append(character)
            }
        }
        return (echo, events)
    }

    private var lastWordCount: Int {
        let blanks = text.reversed().prefix { $0 == " " }.count
        return blanks + text.reversed().dropFirst(blanks).prefix { $0 != " " }.count
    }

    /// Takes back the last `count` characters. No cursor goes back over the terminal's edge: a line that is longer is
    /// written anew.
    private mutating func erase(_ count: Int, columns: Int) -> String {
        let width = DisplayWidth.of(text)
        text.removeLast(min(count, text.count))
        guard width < columns else { return "\n" + text }
        let erased = width - DisplayWidth.of(text)
        let back = String(repeating: "\u{8}", count: erased)
        return back + String(repeating: " ", count: erased) + back
    }
}
