import Foundation
import Glibc
import Primitives

/// A tmux server of its own with one session; it ends with this object.
package final class TmuxSession {
    /// The server is told to end over its socket, which is in there.
    private let directory: TemporaryDirectory
    private let socket: String
    private let environment: [String: String]
    package let serverPID: Int32

    /// Starts `command` in a window of that size; `directory` takes the server's socket.
    package init(
        _ command: String, in directory: TemporaryDirectory, environment: [String: String], rows: Int = 40,
        columns: Int = 100
    ) throws {
        self.directory = directory
        socket = directory.path + "/tmux"
        self.environment = environment
        let settings = "set -g default-terminal tmux-256color\n"
        try settings.write(toFile: socket + ".conf", atomically: true, encoding: .utf8)
        let words = ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command]
        guard try Self.run(words, socket, environment) != nil,
            let pid = try Self.run(["display-message", "-p", "#{pid}"], socket, environment).flatMap(Self.number)
        else { throw ChildProcess.Failure(description: "tmux does not start") }
        serverPID = pid
    }

    deinit {
        kill(serverPID, SIGCONT)
        _ = try? Self.run(["kill-server"], socket, environment)
        kill(serverPID, SIGKILL)
    }

    /// Runs one command of tmux; `nil`: it failed.
    package func run(_ words: String...) throws -> String? {
        try Self.run(words, socket, environment)
    }

    /// Runs commands of tmux, one after another.
    package func run(commands: [[String]]) throws -> String? {
        try Self.run(Array(commands.joined(separator: [";"])), socket, environment)
    }

    package func type(_ keys: String...) throws {
        _ = try Self.run(["send-keys"] + keys, socket, environment)
    }

    /// Asks until the answer fits; `nil`: it does not within `limit`.
    package func answer(
        to words: String..., within limit: Duration = .seconds(20), until fits: (String) -> Bool
    ) throws -> String? {
        let deadline = MonoTime.now() + limit
        while MonoTime.now() < deadline {
            if let answer = try Self.run(words, socket, environment), fits(answer) { return answer }
        }
        return nil
    }

    /// What the pane shows, once it fits.
    package func pane(within limit: Duration = .seconds(20), until fits: ([String]) -> Bool) throws -> [String]? {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return try answer(to: "capture-pane", "-p", within: limit) { fits(lines($0)) }.map(lines)
    }

    /// The process that the pane was started with.
    package func panePID() throws -> Int32? {
        try run("display-message", "-p", "#{pane_pid}").flatMap(Self.number)
    }

    private static func number(_ text: String) -> Int32? {
        Int32(text.filter(\.isNumber))
    }

    private static func run(_ words: [String], _ socket: String, _ environment: [String: String]) throws -> String? {
        let (reader, writer) = try makePipe()
        let child = try ChildProcess(
            ["tmux", "-S", socket, "-f", socket + ".conf"] + words, environment: environment, output: writer)
        close(writer)
        let answer = FileHandle(fileDescriptor: reader, closeOnDealloc: true).readDataToEndOfFile()
        return child.wait() == 0 ? String(decoding: answer, as: UTF8.self) : nil
    }
}
