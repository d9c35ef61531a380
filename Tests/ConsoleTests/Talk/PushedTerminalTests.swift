import Foundation
import TestSupport
import Testing

/// Push to talk at a real terminal: one that tells when keys are let go, and one that does not.
@Suite(.serialized)
struct PushedTerminalTests {
    private static let answer = "\u{1B}[?0u"
    private static let tellsReleases = "\u{1B}[?3u"
    private static let spaceIsLetGo = "\u{1B}[32;1:3u"

    /// A console in a room of its own, whose microphone is pushed to talk.
    private final class Seat {
        let pulse: PrivatePulse
        let directory: TemporaryDirectory
        let console: ConsoleProcess

        init() throws {
            pulse = try PrivatePulse(sinks: ["mic", "spk"])
            _ = try pulse.loadMicrophone("microphone", of: "mic")
            directory = try TemporaryDirectory("hoot-console")
            try FileManager.default.createDirectory(
                atPath: directory.path + "/config", withIntermediateDirectories: true)
            let settings = "[audio]\nserver=\(pulse.server)\ninput=microphone\noutput=spk\ntalk=push\n"
            try settings.write(toFile: directory.path + "/config/hoot.conf", atomically: true, encoding: .utf8)
            console = try ConsoleProcess(["host", "den", "--listen", "127.0.0.1:0", "--name", "ann"], in: directory)
        }

        deinit {
            console.send(SIGKILL)
            _ = console.wait()
            _ = try? ConsoleProcess.run(["core", "stop"], in: directory)
        }

        func shows(_ words: String) -> Bool {
            console.screen { $0.lines[1].contains(words) }.lines[1].contains(words)
        }

        /// Answers as a terminal does that can tell more of keys, once it is asked.
        func tellMoreOfKeys() -> Bool {
            guard shows("PUSH TO TALK") else { return false }
            console.terminal.type(PushedTerminalTests.answer)
            let picture = console.screen { $0.keyboardFlags == ([], [3]) && $0.keyboardQuestionCount == 2 }
            console.terminal.type(PushedTerminalTests.tellsReleases)
            return picture.keyboardFlags == ([], [3])
                && console.screen { $0.lines.contains { $0.contains("hold to talk") } }.keyboardFlags == ([], [3])
        }
    }

    @Test func aKeyThatIsHeldOpensTheMicrophone() throws {
        let seat = try Seat()
        try #require(seat.tellMoreOfKeys())
        seat.console.terminal.type(" ")
        #expect(seat.shows("MIC LIVE"))
        seat.console.terminal.type(Self.spaceIsLetGo)
        #expect(seat.shows("PUSH TO TALK"))
        // The key is held and the console dies.
        seat.console.terminal.type(" ")
        #expect(seat.shows("MIC LIVE"))
        seat.console.send(SIGKILL)
        _ = seat.console.wait()
        let other = try ConsoleProcess([], in: seat.directory)
        #expect(other.screen { $0.lines[1].contains("PUSH TO TALK") }.lines[1].contains("PUSH TO TALK"))
        other.terminal.type("ql")
        #expect(other.wait() == 0)
    }

    @Test(arguments: [("qd", 0, 0), ("", SIGSEGV, -1)] as [(String, Int32, Int32)])
    func whatWasSwitchedOnIsSwitchedOff(keys: String, signal: Int32, status: Int32) throws {
        let seat = try Seat()
        try #require(seat.tellMoreOfKeys())
        if keys.isEmpty { seat.console.send(signal) } else { seat.console.terminal.type(keys) }
        #expect(seat.console.wait() == status)
        let after = seat.console.screen(within: .zero)
        #expect(after.keyboardFlags == ([], []) && after.unknown.isEmpty)
    }

    @Test func aStoppedConsoleLeavesTheKeyboardAsItWas() throws {
        let seat = try Seat()
        try #require(seat.tellMoreOfKeys())
        seat.console.terminal.type(" ")
        #expect(seat.shows("MIC LIVE"))
        seat.console.terminal.type("\u{1A}")
        #expect(seat.console.waitUntilStopped())
        #expect(seat.console.screen(within: .zero).keyboardFlags == ([], []))
        seat.console.send(SIGCONT)
        #expect(seat.shows("PUSH TO TALK"))
        #expect(seat.console.screen { $0.keyboardFlags == ([], [3]) }.keyboardFlags == ([], [3]))
    }

    @Test func aTerminalThatAnswersNothingIsToldNothingAndSwitches() throws {
        let seat = try Seat()
        #expect(seat.shows("PUSH TO TALK"))
        seat.console.terminal.type(" ")
        #expect(seat.shows("MIC LIVE"))
        #expect(
            seat.console.screen { $0.lines.contains { $0.contains("space stop talking") } }.keyboardFlags == ([], []))
    }
}
