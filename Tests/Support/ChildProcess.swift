import Glibc

/// A program that a test started; it is ended by its own id, and always reaped.
package final class ChildProcess {
    package let pid: Int32
    private var isReaped = false

    /// Why a program could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Starts `arguments[0]`, searched in PATH, with exactly this environment. `input` gives its standard input, `output`
    /// takes its standard output and `log` its standard error (−1: `/dev/null`).
    package init(
        _ arguments: [String], environment: [String: String], input: Int32 = -1, output: Int32 = -1, log: Int32 = -1
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [(Int32(0), input), (1, output), (2, log)] {
            if source >= 0 {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", target == 0 ? O_RDONLY : O_WRONLY, 0)
            }
        }
        // A thread of the pool masks signals, and a child would inherit the mask.
        var attributes = posix_spawnattr_t()
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: Int32 = 0
        let status = posix_spawnp(&child, arguments[0], &actions, &attributes, &argv, &envp)
        guard status == 0 else {
            throw Failure(description: "posix_spawn \(arguments[0]): \(String(cString: strerror(status)))")
        }
        pid = child
    }

    deinit {
        kill()
    }

    /// Ends the program at once (SIGKILL) and waits for its end.
    package func kill() {
        guard !isReaped else { return }
        Glibc.kill(pid, SIGKILL)
        _ = wait()
    }

    /// Sends `signal`.
    package func send(_ signal: Int32) {
        guard !isReaped else { return }
        Glibc.kill(pid, signal)
    }

    /// Waits until the program stops as a job. Returns whether it did; else it has ended.
    package func waitUntilStopped() -> Bool {
        guard !isReaped else { return false }
        var status: Int32 = 0
        while waitpid(pid, &status, WUNTRACED) < 0, errno == EINTR {}
        if status & 0xff == 0x7f { return true }
        isReaped = true
        return false
    }

    /// Waits for the end. Returns the exit status, or −1 when a signal ended it.
    @discardableResult
    package func wait() -> Int32 {
        guard !isReaped else { return -1 }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }
}
