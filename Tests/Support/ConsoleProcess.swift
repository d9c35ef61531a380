import Foundation
import Primitives

/// The built `hoot` on a pseudo terminal of its own as its controlling one, in directories of its own.
package final class ConsoleProcess {
    package let terminal: PseudoTerminal
    private let child: ChildProcess
    private var rows: Int
    private var columns: Int

    /// Starts `hoot` with `arguments`; `directory` holds its runtime, configuration and state. Without a `terminal` it
    /// gets a new one.
    package init(
        _ arguments: [String], in directory: TemporaryDirectory, on terminal: PseudoTerminal? = nil, rows: Int = 24,
        columns: Int = 80, environment: [String: String] = [:]
    ) throws {
        (self.rows, self.columns) = (rows, columns)
        let terminal = try terminal ?? PseudoTerminal(rows: UInt16(rows), columns: UInt16(columns))
        self.terminal = terminal
        let words = ([Self.program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let command = "exec setsid --ctty \(words) <\(terminal.path) >\(terminal.path) 2>&1"
        child = try ChildProcess(
            ["sh", "-c", command],
            environment: Self.environment(in: directory).merging(environment) { $1 })
    }

    /// Runs `hoot` with `arguments` to its end, without a terminal. Returns its exit status.
    @discardableResult
    package static func run(_ arguments: [String], in directory: TemporaryDirectory) throws -> Int32 {
        try ChildProcess([program] + arguments, environment: environment(in: directory)).wait()
    }

    /// Waits until the screen fits and returns it; after `limit`, the screen as it is.
    package func screen(
        within limit: Duration = .seconds(20), until fits: (TerminalPicture) -> Bool = { _ in true }
    ) -> TerminalPicture {
        terminal.picture(rows: rows, columns: columns, within: limit, until: fits)
    }

    /// Gives the terminal's window another size.
    package func resize(rows: Int, columns: Int) {
        (self.rows, self.columns) = (rows, columns)
        terminal.resize(rows: UInt16(rows), columns: UInt16(columns))
    }

    /// The process id of the core that runs in `directory`; `nil`: none does, beside this process.
    package static func corePID(in directory: TemporaryDirectory) -> Int32? {
        let text = try? String(contentsOfFile: directory.path + "/state/core.lock", encoding: .utf8)
        // The file stays when its writer is killed, and the number may be another's by then.
        guard let pid = text?.split(separator: "\n").first.flatMap({ Int32($0) }), path(of: "\(pid)") == program
        else { return nil }
        return pid
    }

    package func send(_ signal: Int32) {
        child.send(signal)
    }

    /// Waits until the program stops as a job. Returns whether it did; else it has ended.
    package func waitUntilStopped() -> Bool {
        child.waitUntilStopped()
    }

    /// Waits for the end. Returns the exit status.
    package func wait() -> Int32 {
        child.wait()
    }

    /// The environment of `hoot` in `directory`.
    package static func environment(in directory: TemporaryDirectory) -> [String: String] {
        [
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", "TERM": "xterm-256color",
            "LANG": "C.UTF-8", "HOME": directory.path, "HOOT_RUNTIME_DIR": directory.path + "/run",
            "HOOT_CONFIG_DIR": directory.path + "/config", "HOOT_STATE_DIR": directory.path + "/state",
            "PULSE_SERVER": "unix:/nonexistent/pulse",
        ]
    }

    /// `hoot` beside the program that runs the tests.
    package static let program: String = {
        let folder = path(of: "self").split(separator: "/").dropLast().joined(separator: "/")
        return "/\(folder)/hoot"
    }()

    /// The program that a process runs.
    private static func path(of process: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) ?? ""
    }
}
