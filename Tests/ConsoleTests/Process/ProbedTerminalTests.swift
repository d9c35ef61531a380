import TestSupport
import Testing

/// Terminals of which the environment says too little.
@Suite(.serialized)
struct ProbedTerminalTests {
    private func start(_ environment: [String: String], in directory: TemporaryDirectory) throws -> ConsoleProcess {
        try ConsoleProcess([], in: directory, environment: environment)
    }

    @Test func aTerminalThatTakesUTF8GetsItWithoutALocale() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        for (answer, shown) in [("\u{1B}[1;2R", "─"), ("\u{1B}[1;3R", "-")] {
            let console = try start(["LANG": "C"], in: directory)
            console.terminal.type(answer)
            let screen = console.screen { $0.lines[1].contains("NO MIC") }
            #expect(screen.lines[1].hasPrefix(shown == "─" ? "█ NO MIC █" : "[ NO MIC ]"))
            console.terminal.type("q")
            #expect(console.wait() == 0)
        }
    }

    @Test func anUnknownTerminalThatAnswersIsDrawnOn() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let console = try start(["TERM": "no-such-terminal"], in: directory)
        console.terminal.type("\u{1B}[?62;22c")
        let screen = console.screen { $0.lines[1].contains("NO MIC") }
        #expect(screen.isAlternate && screen.lines[1].contains("NO MIC"))
        console.terminal.type("q")
        #expect(console.wait() == 0)
    }

    @Test(arguments: ["no-such-terminal", "dumb"])
    func aTerminalThatCannotBeDrawnOnGetsLines(term: String) throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let console = try start(["TERM": term], in: directory)
        _ = console.screen { $0.lines.contains { $0.contains("type a verb") } }
        let output = String(decoding: console.terminal.output, as: UTF8.self)
        #expect(output.contains("here is hoot --plain") && output.contains("type a verb"))
        console.terminal.type("quit\n")
        #expect(console.wait() == 0)
    }

    @Test func asciiIsKeptToWhenAsked() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let console = try ConsoleProcess(["--ascii"], in: directory)
        _ = console.screen { $0.lines[1].contains("[ NO MIC ]") }
        #expect(console.terminal.output.allSatisfy { $0 < 0x80 })
        console.terminal.type("q")
        #expect(console.wait() == 0)
    }
}
