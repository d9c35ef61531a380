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
        let socket = directory.path + "/tmux"
        let environment = ConsoleProcess.environment(in: directory)
        func tmux(_ arguments: [String]) throws -> String? {
            let (reader, writer) = try makePipe()
            let child = try ChildProcess(
                ["tmux", "-S", socket, "-f", "/dev/null"] + arguments, environment: environment, output: writer)
            close(writer)
            let answer = FileHandle(fileDescriptor: reader, closeOnDealloc: true).readDataToEndOfFile()
            return child.wait() == 0 ? String(decoding: answer, as: UTF8.self) : nil
        }
        func until(_ fits: (String) -> Bool, _ arguments: [String]) throws -> String? {
            let deadline = MonoTime.now() + .seconds(20)
            while MonoTime.now() < deadline {
                if let answer = try tmux(arguments), fits(answer) { return answer }
            }
            return nil
        }
        #expect(try tmux(["new-session", "-d", "-x", "100", "-y", "40", "'\(ConsoleProcess.program)'"]) != nil)
        defer { _ = try? tmux(["kill-server"]) }
        #expect(try tmux(["set-option", "-s", "set-clipboard", "on"]) != nil)
        #expect(try until({ $0.contains("open @") }, ["capture-pane", "-p"]) != nil)
        #expect(try tmux(["send-keys", "i"]) != nil)
        let buffer = try #require(try until({ !$0.isEmpty }, ["show-buffer"]))
        #expect(buffer.contains("/r/open#"))
        // What tmux shows of it is the same link.
        let pane = try #require(try until({ $0.contains("Invite") }, ["capture-pane", "-p"]))
        #expect(pane.contains("/r/open#"))
    }

    private func hostingDirectory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory("hoot-console")
        #expect(try ConsoleProcess.run(["host", "open", "--listen", "127.0.0.1:0", "--detach"], in: directory) == 0)
        return directory
    }
}
