import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

@testable import Console

/// `hoot --plain` at a terminal and in a pipe.
@Suite(.serialized)
struct PlainTerminalTests {
    private func text(_ console: ConsoleProcess) -> String {
        console.terminal.drain()
        return String(decoding: console.terminal.output, as: UTF8.self)
    }

    /// Reads on until the terminal has got `words`.
    private func waits(for words: String, on console: ConsoleProcess) -> Bool {
        let deadline = MonoTime.now() + .seconds(20)
        while !text(console).contains(words) {
            guard MonoTime.now() < deadline else { return false }
            var poller = pollfd(fd: console.terminal.master, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, 1000)
        }
        return true
    }

    /// A console that has told how things stand, and the settings that its terminal had before.
    private func opened(in directory: TemporaryDirectory) throws -> (console: ConsoleProcess, before: termios) {
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let console = try ConsoleProcess(["--plain"], in: directory, on: terminal)
        #expect(waits(for: "no call", on: console))
        return (console, before)
    }

    @Test func nothingIsToldIntoALineThatIsBeingTyped() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let (console, before) = try opened(in: directory)
        let terminal = console.terminal
        terminal.type("sta")
        #expect(waits(for: "sta", on: console))
        #expect(try ConsoleProcess.run(["host", "den", "--listen", "127.0.0.1:0", "--detach"], in: directory) == 0)
        // It is told to others by now, and here it waits.
        let other = try ConsoleProcess(["--plain"], in: directory)
        #expect(waits(for: "in den", on: other))
        #expect(text(console).hasSuffix("sta"))
        terminal.type("tus\r")
        #expect(waits(for: "in den with nobody else", on: console))
        let lines = text(console).split(whereSeparator: \.isNewline)
        let typed = try #require(lines.lastIndex(of: "status"), "the line is whole")
        #expect(lines[(typed + 1)...].contains { $0.contains("den") })
        terminal.type("\u{4}")
        #expect(console.wait() == 0)
        #expect(!terminal.output.contains(0x1B))
        #expect(terminal.settings.c_lflag == before.c_lflag)
        other.terminal.type("\u{3}")
        #expect(other.wait() == 0)
    }

    @Test(arguments: [(SIGTERM, 0), (SIGSEGV, -1)] as [(Int32, Int32)])
    func howeverItEndsTheTerminalIsAsItWas(signal: Int32, status: Int32) throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let (console, before) = try opened(in: directory)
        let terminal = console.terminal
        #expect(terminal.settings.c_lflag != before.c_lflag)
        console.send(signal)
        #expect(console.wait() == status)
        #expect(terminal.settings.c_lflag == before.c_lflag && !text(console).utf8.contains(0x1B))
    }

    @Test func itStopsAsAJobAndComesBack() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let (console, before) = try opened(in: directory)
        let terminal = console.terminal
        terminal.type("sta")
        #expect(waits(for: "sta", on: console))
        terminal.type("\u{1A}")
        #expect(console.waitUntilStopped())
        #expect(terminal.settings.c_lflag == before.c_lflag)
        terminal.forget()
        console.send(SIGCONT)
        #expect(waits(for: "sta", on: console))
        terminal.type("tus\r\u{4}")
        #expect(console.wait() == 0)
        #expect(text(console).contains("no microphone."))
    }

    @Test(arguments: [
        ("echo quit | hoot --plain | cat", "no call", "done"), ("hoot --plain </dev/null", "no call", "done"),
        ("echo status | hoot --plain --detail=all", "no microphone.", "done"),
        ("printf 'detail quiet\\ndetail\\n' | hoot --plain", "detail: quiet", "no verb"),
        ("yes status | hoot --plain | head -n 1", "hoot: type a verb", "no call"),
    ])
    func itWorksInAPipe(command: String, told: String, untold: String) throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let ends = try makePipe()
        defer { close(ends.reader) }
        let words = command.replacing("hoot ", with: "'\(ConsoleProcess.program)' ")
        let child = try ChildProcess(
            ["sh", "-c", words], environment: ConsoleProcess.environment(in: directory), output: ends.writer)
        close(ends.writer)
        let output = FileHandle(fileDescriptor: ends.reader).readDataToEndOfFile()
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains(told) && !text.contains(untold) && !text.utf8.contains(0x1B))
        #expect(child.wait() == 0)
    }

    /// Whoever knows `hoot VERB` finds the verb here: but for what is about the program itself.
    @Test func theVerbsAreTheCommandLines() throws {
        let about: Set = ["demo", "core", "ctl", "doctor", "theme", "manual", "completion"]
        let directory = try TemporaryDirectory("hoot-console")
        let ends = try makePipe()
        let child = try ChildProcess(
            [ConsoleProcess.program, "--help"], environment: ConsoleProcess.environment(in: directory),
            output: ends.writer)
        close(ends.writer)
        let help = FileHandle(fileDescriptor: ends.reader, closeOnDealloc: true).readDataToEndOfFile()
        #expect(child.wait() == 0)
        let lines = String(decoding: help, as: UTF8.self).split(separator: "\n")
        let commands = lines.compactMap { line -> String? in
            let word = line.dropFirst(2).prefix { $0.isLetter }
            return line.hasPrefix("  ") && !word.isEmpty ? String(word) : nil
        }
        #expect(commands.contains("stats") && commands.contains("revoke"))
        for command in commands where !about.contains(command) {
            #expect(LineVerb.summary(of: command) != nil, "\(command)")
        }
    }
}
