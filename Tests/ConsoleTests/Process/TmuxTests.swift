import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

/// The console in a real tmux, with moving pictures: what a terminal goes through in a day.
@Suite(.serialized) struct TmuxTests {
    /// A core that shows itself a test pattern in a room, and a shell in tmux.
    private final class Desk {
        let directory: TemporaryDirectory
        let tmux: TmuxSession

        init() throws {
            directory = try TemporaryDirectory("hoot-tmux")
            let shell = ["PS1": "shell> ", "HISTFILE": ""]
            let environment = ConsoleProcess.environment(in: directory).merging(shell) { $1 }
            tmux = try TmuxSession("bash --norc --noprofile", in: directory, environment: environment)
            for words in [
                ["host", "den", "--listen", "127.0.0.1:0", "--detach"], ["show", "pattern"],
            ] {
                guard try ConsoleProcess.run(words, in: directory) == 0 else {
                    throw ChildProcess.Failure(description: "hoot \(words[0]) failed")
                }
            }
            try tmux.type("'\(ConsoleProcess.program)'", "Enter")
        }

        deinit {
            _ = try? ConsoleProcess.run(["core", "stop"], in: directory)
        }

        /// The console's process, of which there is one.
        func consolePID() throws -> Int32? {
            let shell = try tmux.panePID() ?? 0
            let children = try? String(contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
            return children?.split(separator: " ").first.flatMap { Int32($0) }
        }

        static func isWhole(_ lines: [String], rows: Int) -> Bool {
            let lines = lines.prefix(rows)
            return lines.count == rows && lines.first?.hasPrefix(" den @ ") == true && lines[1].contains("NO MIC")
                && lines.contains { $0.hasPrefix("─ Stage: you") } && lines.last?.contains("q leave or detach") == true
        }
    }

    @Test func itStartsAndStandsAStormOfSizes() throws {
        let desk = try Desk()
        #expect(try desk.tmux.pane { Desk.isWhole($0, rows: 40) } != nil)
        var random = SplitMix64(seed: 3)
        for _ in 0..<10 {
            let sizes = (0..<50).map { _ in
                [
                    "resize-window", "-x", "\(Int.random(in: 20...200, using: &random))", "-y",
                    "\(Int.random(in: 6...60, using: &random))",
                ]
            }
            #expect(try desk.tmux.run(commands: sizes) != nil)
        }
        #expect(try desk.tmux.run("resize-window", "-x", "110", "-y", "36") != nil)
        let pane = try desk.tmux.pane { lines in
            Desk.isWhole(lines, rows: 36) && lines.contains { $0.contains("▄") || $0.contains("▌") }
        }
        let shown = try desk.tmux.run("capture-pane", "-p") ?? ""
        #expect(pane != nil, "\(shown)")
    }

    @Test func itStopsAsAJobAndComesBack() throws {
        let desk = try Desk()
        #expect(try desk.tmux.pane { Desk.isWhole($0, rows: 40) } != nil)
        try desk.tmux.type("C-z")
        #expect(
            try desk.tmux.pane { $0.contains { $0.contains("Stopped") } && !$0.contains { $0.contains("Stage") } }
                != nil)
        try desk.tmux.type("fg", "Enter")
        #expect(try desk.tmux.pane { Desk.isWhole($0, rows: 40) } != nil)
    }

    @Test func aKilledConsoleLeavesTheCallAndTheNextOneIsThereAtOnce() throws {
        let desk = try Desk()
        #expect(try desk.tmux.pane { $0.contains { $0.contains("NO MIC") } } != nil)
        kill(try #require(try desk.consolePID()), SIGKILL)
        #expect(try desk.tmux.pane { $0.contains { $0.contains("Killed") } } != nil)
        let start = MonoTime.now()
        try desk.tmux.type("reset; '\(ConsoleProcess.program)'", "Enter")
        #expect(try desk.tmux.pane { $0.first?.hasPrefix(" den @ ") == true } != nil)
        print("a console after a killed one: \(Int((MonoTime.now() - start).milliseconds)) ms, reset(1) included")
    }

    /// The server that reads the pane is stopped for a while: the pane's terminal fills up.
    @Test func aReaderThatIsLateGetsAWholeScreenAndItsKeys() throws {
        let desk = try Desk()
        #expect(try desk.tmux.pane { Desk.isWhole($0, rows: 40) } != nil)
        kill(desk.tmux.serverPID, SIGSTOP)
        for state in ["off", "on", "off", "on"] {
            #expect(try ConsoleProcess.run(["deafen", state], in: desk.directory) == 0)
        }
        kill(desk.tmux.serverPID, SIGCONT)
        #expect(try desk.tmux.pane { $0.contains { $0.contains("d hear all") } && Desk.isWhole($0, rows: 40) } != nil)
        try desk.tmux.type("d")
        #expect(try desk.tmux.pane { $0.contains { $0.contains("d deafen") } } != nil)
    }
}
