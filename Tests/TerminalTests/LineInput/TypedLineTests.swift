import Primitives
import Terminal
import Testing

struct TypedLineTests {
    private struct Typing: Equatable {
        var echo: String
        var events: [TypedLine.Event]
    }

    private var line = TypedLine()
    private var columns = 80

    private mutating func type(_ text: String) -> Typing {
        let bytes = Array(text.utf8)
        let (echo, events) = line.receive(bytes.span.bytes, columns: columns, at: .zero)
        return Typing(echo: echo, events: events)
    }

    @Test(arguments: [
        ("mute\n", "mute\n", "mute"), ("mutes\u{7F}\r", "mutes\u{8} \u{8}\n", "mute"),
        ("日\u{7F}x\n", "日\u{8}\u{8}  \u{8}\u{8}x\n", "x"), ("\u{7F}\u{15}\u{17}a\n", "a\n", "a"),
        ("no\u{15}yes\n", "no\u{8}\u{8}  \u{8}\u{8}yes\n", "yes"),
        ("say it \u{17}that\n", "say it \u{8}\u{8}\u{8}   \u{8}\u{8}\u{8}that\n", "say that"),
        ("\u{1B}[Aup\u{1B}[1;5C\n", "up\n", "up"), ("a\u{0}\u{1}b\n", "ab\n", "ab"),
    ])
    mutating func aLineIsEditedAndEchoedWithoutEscapes(typed: String, echoed: String, done: String) {
        #expect(type(typed) == Typing(echo: echoed, events: [.line(done)]))
        #expect(line.text.isEmpty)
    }

    @Test mutating func itIsKnownThatSomebodyTypes() {
        _ = type("ch")
        #expect(line.text == "ch")
        _ = type("\u{7F}\u{7F}")
        #expect(line.text.isEmpty)
    }

    @Test mutating func endInterruptAndStop() {
        #expect(type("\u{4}").events == [.end])
        #expect(type("x\u{4}").events.isEmpty, "not in the middle of a line")
        #expect(type("\u{1A}").events == [.suspend])
        #expect(line.text == "x")
        #expect(type("\u{3}") == Typing(echo: "^C\n", events: [.interrupt]))
        #expect(line.text.isEmpty)
    }

    @Test mutating func aLineOverTheEdgeIsWrittenAnew() {
        columns = 10
        _ = type("0123456789")
        #expect(type("\u{7F}").echo == "\n012345678")
    }

    @Test mutating func aLineHasALimit() {
        let echo = type(String(repeating: "x", count: 5000)).echo
        #expect(echo.count == 4096)
        #expect(line.text.count == 4096)
    }
}
