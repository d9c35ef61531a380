import Foundation
import Primitives
import TestSupport
import Testing

/// The link on its way to a clipboard: through a terminal, and through a real tmux.
@Suite(.serialized)
struct ClipboardTests {
    @Test func theInviteKeySendsTheLinkToTheTerminalAndTheExitLineHasItAgain() throws {
        let directory = try hostingDirectory()
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let console = try ConsoleProcess([], in: directory, rows: 40, columns: 120)
        _ = console.screen { $0.lines[0].contains("open @") }
        console.terminal.type("i")
        let screen = console.screen { $0.clipboard != nil && $0.lines[0].contains("Invite") }
        let link = try #require(
            screen.clipboard.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) })
        #expect(link.contains("/r/open#"))
        let text = screen.lines.map { $0.prefix { !"█▀▄".contains($0) } }.joined().filter { $0 != " " }
        #expect(text.contains(link))
        console.terminal.type("\u{1B}")
        _ = console.screen { $0.lines[0].contains("open @") }
        console.terminal.type("qd")
        #expect(console.wait() == 0)
        console.terminal.drain()
        #expect(String(decoding: console.terminal.output, as: UTF8.self).contains("invite:  \(link)"))
    }

    @Test func tmuxTakesThePlainSequenceIntoItsBuffer() throws {
        let directory = try hostingDirectory()
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let tmux = try TmuxSession(
            "'\(ConsoleProcess.program)'", in: directory, environment: ConsoleProcess.environment(in: directory))
        #expect(try tmux.run("set-option", "-s", "set-clipboard", "on") != nil)
        #expect(try tmux.answer(to: "capture-pane", "-p") { $0.contains("open @") } != nil)
        try tmux.type("i")
        let buffer = try #require(try tmux.answer(to: "show-buffer") { !$0.isEmpty })
        #expect(buffer.contains("/r/open#"))
        // What tmux shows of it is the same link.
        let pane = try #require(try tmux.answer(to: "capture-pane", "-p") { $0.contains("Invite") })
        #expect(pane.contains("/r/open#"))
    }

    private func hostingDirectory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory("hoot-console")
        #expect(try ConsoleProcess.run(["host", "open", "--listen", "127.0.0.1:0", "--detach"], in: directory) == 0)
        return directory
    }
}
