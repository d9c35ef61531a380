import Glibc
import Primitives
import TestSupport
import Testing

/// The built program on a real pseudo terminal, with a real core.
@Suite(.serialized)
struct ConsoleProcessTests {
    @Test func theConsoleStartsACoreAndShowsIt() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess([], in: directory)
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let screen = console.screen { $0.lines[1].contains("NO MIC") }
        #expect(screen.isAlternate && screen.lines.contains { $0.contains("q quit") })
        console.terminal.type("q")
        #expect(console.wait() == 0)
    }

    @Test func withARunningCoreTheFirstPaintTakesNoLongerThan150Milliseconds() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let first = try ConsoleProcess([], in: directory)
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        _ = first.screen { $0.lines[1].contains("NO MIC") }
        // The best of five: the machine may be busy, the program is not slower for it.
        let times = try (0..<5).map { _ -> Duration in
            let start = MonoTime.now()
            let console = try ConsoleProcess([], in: directory)
            let screen = console.screen { $0.lines[1].contains("NO MIC") }
            let time = MonoTime.now() - start
            #expect(screen.lines[1].contains("NO MIC"))
            console.terminal.type("q")
            #expect(console.wait() == 0)
            return time
        }
        #expect(try #require(times.min()) < .milliseconds(150))
        first.terminal.type("q")
        #expect(first.wait() == 0)
    }

    @Test func aKilledCoreIsUnknownAndANewOneIsFoundWithinASecond() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess([], in: directory)
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        _ = console.screen { $0.lines[1].contains("NO MIC") }
        kill(try #require(ConsoleProcess.corePID(in: directory)), SIGKILL)
        let lost = console.screen { $0.lines[1].contains("UNKNOWN (core lost)") }
        #expect(lost.lines[1].contains("UNKNOWN (core lost)"))
        #expect(try ConsoleProcess.run(["core"], in: directory) == 0)
        let start = MonoTime.now()
        let back = console.screen { $0.lines[1].contains("NO MIC") }
        #expect(back.lines[1].contains("NO MIC"))
        #expect(MonoTime.now() - start < .seconds(1))
        console.terminal.type("q")
        #expect(console.wait() == 0)
    }

    @Test func theDemoShowsGuestsWhoSpeakAndAsksBeforeItEnds() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess(["demo", "--seconds", "60"], in: directory, rows: 40, columns: 120)
        let screen = console.screen { picture in
            picture.lines[1].contains("MIC LIVE") && picture.lines.contains { $0.contains(")))") && $0.contains("█") }
        }
        #expect(screen.lines.contains { $0.contains(")))") })
        console.terminal.type("m")
        #expect(console.screen { $0.lines[1].contains("MUTED") }.lines[1].contains("MUTED"))
        console.terminal.type("q")
        #expect(console.screen { $0.lines.last?.contains("esc stay") == true }.lines.last?.contains("l leave") == true)
        console.terminal.type("l")
        #expect(console.wait() == 0)
    }

    @Test func sevenGuestsAt120By40StayUnder8KilobytesASecond() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let arguments = ["demo", "--guests", "7", "--seconds", "60"]
        let console = try ConsoleProcess(arguments, in: directory, rows: 40, columns: 120)
        _ = console.screen { $0.lines.contains { $0.contains(")))") } }
        console.terminal.forget()
        let start = MonoTime.now()
        _ = console.screen(within: .seconds(4)) { _ in false }
        let rate = Double(console.terminal.output.count) / (MonoTime.now() - start).seconds
        #expect(rate > 50 && rate < 8192)
        console.send(SIGTERM)
        #expect(console.wait() == 0)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func aTerminalThatNobodyReadsDoesNotHoldTheConsole(signal: Int32) throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess(["demo", "--seconds", "60"], in: directory, rows: 50, columns: 200)
        _ = console.screen { $0.lines[1].contains("MIC LIVE") }
        // A lone terminal takes a few kilobytes; redrawing whole screens fills it.
        for _ in 0..<40 { console.terminal.type("\u{C}") }
        console.send(signal)
        let start = MonoTime.now()
        #expect(console.wait() == 0)
        #expect(MonoTime.now() - start < .seconds(4))
    }

    @Test func stoppingAsAJobGivesTheTerminalBackAndComingBackDrawsItAll() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let console = try ConsoleProcess(["demo", "--seconds", "60"], in: directory)
        _ = console.screen { $0.lines[1].contains("MIC LIVE") }
        console.terminal.type("\u{1A}")
        #expect(console.waitUntilStopped())
        #expect(!console.screen(within: .zero).isAlternate)
        console.terminal.forget()
        console.send(SIGCONT)
        let screen = console.screen { $0.lines[1].contains("MIC LIVE") }
        #expect(screen.lines[1].contains("MIC LIVE"))
        console.send(SIGTERM)
        #expect(console.wait() == 0)
    }

    @Test func anIdleCallAt120By40StaysUnder200BytesASecond() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        #expect(try ConsoleProcess.run(["host", "idle", "--listen", "127.0.0.1:0", "--detach"], in: directory) == 0)
        let console = try ConsoleProcess([], in: directory, rows: 40, columns: 120)
        _ = console.screen { $0.lines[0].contains("idle @") && $0.lines[0].contains("in call") }
        _ = console.screen(within: .seconds(1)) { _ in false }
        console.terminal.forget()
        _ = console.screen(within: .seconds(3)) { _ in false }
        #expect((1..<600).contains(console.terminal.output.count), "nothing but the clock changes")
        console.terminal.type("qd")
        #expect(console.wait() == 0)
        console.terminal.drain()
        let words = String(decoding: console.terminal.output, as: UTF8.self)
        #expect(words.contains("still in idle, no microphone:  hoot · hoot mute · hoot leave"))
    }

    @Test func lineModeSaysTheMicrophoneFirstAndNoEscapes() throws {
        let directory = try TemporaryDirectory("hoot-console")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let console = try ConsoleProcess(["--plain"], in: directory)
        _ = console.screen { $0.lines.contains { $0.contains("no call") } }
        console.terminal.type("dance\nstatus\nquit\n")
        #expect(console.wait() == 0)
        let lines = console.screen(within: .zero).lines
        #expect(lines.contains { $0.contains("no verb \"dance\"; help lists them") })
        #expect(lines.contains { $0.contains("no microphone.") })
        #expect(!console.terminal.output.contains(0x1B))
    }
}
