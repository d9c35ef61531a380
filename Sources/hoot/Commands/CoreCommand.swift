import ControlClient
import ControlProtocol
import Core
import Glibc
import Primitives

/// `hoot core`.
enum CoreCommand {
    static let command = Command(
        name: "core", operands: "[stop]", summary: "start the core, or stop it",
        options: [Option("foreground", "do not detach")], operandCount: 0...1,
        run: { invocation in
            switch invocation.operands.first {
            case "stop": try stop()
            case nil where invocation.has("foreground"): CoreProcess.run(directories: .current())
            case nil: try start()
            case let word?: throw UsageError("stop, not \(word.quoted)")
            }
        })

    private static func start() throws -> Int32 {
        let greeting = try CoreLauncher(directories: .current()).connectOrStart().greet(version: CoreVersion.current)
        Output.line("core \(greeting.version) is running, pid \(greeting.pid)")
        return 0
    }

    private static func stop() throws -> Int32 {
        guard let connection = try CoreLauncher(directories: .current()).connect() else {
            Output.line("no core is running")
            return 0
        }
        let deadline = MonoTime.now() + .seconds(5)
        do {
            _ = try connection.call("core.shutdown", within: .seconds(5))
        } catch ClientError.timeout {
            throw unstopped
        }
        // The core closes the connection as the last thing that it does.
        while (try? connection.wait(until: deadline)) == true, (try? connection.receive()) != nil {}
        guard MonoTime.now() < deadline else { throw unstopped }
        Output.line("stopped")
        return 0
    }

    /// What is left to do about a core that does not answer.
    private static var unstopped: UserFacingError {
        let pid = CoreLock.owner(lockPath: Directories.current().lockPath)?.pid
        return UserFacingError(
            "the core does not stop", why: "it has not answered for 5 s\(pid.map { "; its pid is \($0)" } ?? "")",
            remedy: pid.map { "`kill \($0)` ends it, and `kill -KILL \($0)` if even that is not heard" }
                ?? "look for it with `pgrep -a hoot`")
    }
}
