import Primitives
import TestSupport
import Testing

/// Without meters a terminal with talking guests gets what happens and the clock, and nothing else.
@Suite(.serialized)
struct StillTerminalTests {
    @Test func talkingGuestsMoveNothing() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess(["demo", "--seconds", "120"], in: directory, rows: 40, columns: 120)
        _ = console.screen { $0.lines[1].contains("MIC LIVE") }
        console.terminal.type(":settings.set name=console.meters value=false\r")
        let still = console.screen { $0.isCursorVisible && !$0.lines[2].contains("-30") }
        #expect(still.isCursorVisible && still.lines[still.cursor.row].hasPrefix(">"))
        // What was begun before is over.
        _ = console.screen(within: .seconds(1)) { _ in false }
        console.terminal.forget()
        _ = console.screen(within: .seconds(4)) { _ in false }
        let count = console.terminal.output.count
        #expect((1..<1600).contains(count), "\(count) bytes in 4 s")
        console.terminal.forget()
        console.terminal.type("\u{C}")
        let whole = console.screen { $0.lines[39].contains("leave or detach") }
        #expect(!whole.lines.contains { $0.contains("▌") || $0.contains("▏") }, "no meter is left")
        console.terminal.type("ql")
        #expect(console.wait() == 0)
    }
}
