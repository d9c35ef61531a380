import Glibc
import Primitives
import TestSupport
import Testing

/// However the console ends, its terminal is as it was found and the core goes on.
@Suite(.serialized)
struct TerminalRestoreTests {
    /// How a console comes to its end.
    struct Ending: Sendable, CustomTestStringConvertible {
        var keys = ""
        var signal: Int32?
        /// −1: killed by the signal.
        var status: Int32 = 0

        var testDescription: String { signal.map { "signal \($0)" } ?? keys }

        static let all = [
            Ending(keys: "qd"), Ending(keys: "\u{3}\u{3}"), Ending(keys: "\u{3}d"), Ending(signal: SIGTERM),
            Ending(signal: SIGHUP), Ending(signal: SIGINT), Ending(signal: SIGSEGV, status: -1),
            Ending(signal: SIGABRT, status: -1),
        ]
    }

    @Test func everyEndGivesTheTerminalBackAndTheCallGoesOn() throws {
        let directory = try hostingDirectory()
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let core = try #require(ConsoleProcess.corePID(in: directory))
        for ending in Ending.all {
            let terminal = try PseudoTerminal()
            // Settings that no program would guess.
            terminal.settings.c_iflag ^= tcflag_t(IXON | IXANY)
            terminal.settings.c_cc.2 = 0x08
            let before = terminal.settings
            let console = try ConsoleProcess([], in: directory, on: terminal)
            #expect(isInTheCall(console), "before \(ending)")
            #expect(!isSame(console.terminal.settings, before), "\(ending): not raw")
            if let signal = ending.signal { console.send(signal) } else { console.terminal.type(ending.keys) }
            #expect(console.wait() == ending.status, "\(ending)")
            #expect(isSame(console.terminal.settings, before), "\(ending): settings")
            let after = console.screen(within: .zero)
            let left = after.privateModes.filter { $0.value != Self.isUsuallyOn($0.key) }
            #expect(left.isEmpty, "\(ending) leaves modes \(left)")
            // Everything that the console switches on was seen to be switched off.
            for mode in [1049, 2004, 1004, 1000, 1006] {
                #expect(after.privateModes[mode] == false, "\(ending): \(mode)")
            }
            #expect(after.privateModes[25] == true && after.unknown.isEmpty, "\(ending) leaves no cursor")
        }
        #expect(ConsoleProcess.corePID(in: directory) == core)
        let console = try ConsoleProcess([], in: directory)
        #expect(isInTheCall(console))
    }

    @Test func aTerminalThatIsClosedEndsTheConsoleAndTheCallGoesOn() throws {
        let directory = try hostingDirectory()
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let core = try #require(ConsoleProcess.corePID(in: directory))
        let console = try ConsoleProcess([], in: directory)
        #expect(isInTheCall(console))
        console.terminal.hangUp()
        #expect(console.wait() == 0)
        #expect(ConsoleProcess.corePID(in: directory) == core)
        let other = try ConsoleProcess([], in: directory)
        #expect(isInTheCall(other))
    }

    @Test func aNewSizeOfTheWindowIsDrawnAtOnce() throws {
        let directory = try hostingDirectory()
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let console = try ConsoleProcess([], in: directory)
        #expect(isInTheCall(console))
        for (rows, columns) in [(50, 120), (6, 20), (24, 80)] {
            console.terminal.drain()
            console.terminal.forget()
            console.resize(rows: rows, columns: columns)
            let start = MonoTime.now()
            let screen = console.screen { $0.lines[1].contains("NO MIC") && $0.lines[0].hasPrefix(" open") }
            #expect(screen.lines[1].contains("NO MIC") && MonoTime.now() - start < .seconds(1))
            let keys = console.screen { rows < 10 || $0.lines[rows - 1].contains("q leave or detach") }
            #expect(rows < 10 || keys.lines[rows - 1].contains("q leave or detach"), "\(rows)×\(columns)")
        }
    }

    private func hostingDirectory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory("hoot-console")
        #expect(try ConsoleProcess.run(["host", "open", "--listen", "127.0.0.1:0", "--detach"], in: directory) == 0)
        return directory
    }

    private func isInTheCall(_ console: ConsoleProcess) -> Bool {
        console.screen { $0.lines[0].contains("open @") && $0.lines[1].contains("NO MIC") }.lines[0].contains("open @")
    }

    /// 7: wrapping, 25: the cursor.
    private static func isUsuallyOn(_ mode: Int) -> Bool {
        mode == 7 || mode == 25
    }

    private func isSame(_ left: termios, _ right: termios) -> Bool {
        withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
    }
}
