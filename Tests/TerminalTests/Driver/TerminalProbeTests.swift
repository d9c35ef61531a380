import Glibc
import Primitives
import TestSupport
import Testing

@testable import Terminal

/// Questions to a terminal; the test answers for it.
struct TerminalProbeTests {
    @Test(arguments: [
        ("\u{1B}[1;2R", true, ""), ("\u{1B}[24;3R", false, ""), ("jj\u{1B}[A\u{1B}[7;2Rq", true, "jj\u{1B}[Aq"),
    ])
    func aLetterOfTwoBytesTellsWhetherItTakesUTF8(answer: String, takes: Bool, typed: String) throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        terminal.type(answer)
        let found = device.takesUTF8(within: .seconds(10))
        #expect(found.value == takes)
        #expect(found.typed == Array(typed.utf8))
        terminal.drain()
        #expect(String(decoding: terminal.output, as: UTF8.self) == "\r\u{E9}\u{1B}[6n\r\u{1B}[K")
    }

    @Test func aTerminalThatAnswersNothingTellsNothingAndLosesNoKey() throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        terminal.type("q\u{1B}[")
        let found = device.takesUTF8(within: .milliseconds(50))
        #expect(found.value == nil)
        #expect(found.typed == Array("q\u{1B}[".utf8))
    }

    @Test func whatAnswersForItsKindIsLikeXterm() throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        terminal.type("\u{1B}[?64;1;2c")
        #expect(device.answersLikeXterm(within: .seconds(10)).value == true)
        #expect(device.answersLikeXterm(within: .milliseconds(50)).value == nil)
    }

    @Test(arguments: [("xterm-256color", true), ("dumb", true), ("no-such-terminal", false), ("", false)])
    func theSystemKnowsATypeOrNot(term: String, isKnown: Bool) {
        #expect(TerminalEnvironment(term: term, isUTF8: true, noColor: false).isKnown == isKnown)
    }

    @Test func aDeviceThatGoesGivesTheTerminalBack() throws {
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        do {
            let device = try TerminalDevice(path: terminal.path)
            #expect(terminal.settings.c_lflag != before.c_lflag)
            _ = device.size
        }
        #expect(terminal.settings.c_lflag == before.c_lflag)
    }
}
