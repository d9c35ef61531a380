import CLinux
import Glibc
package import Primitives

/// Finds the core of this user, or starts it: connect, lock, connect again, start. Two consoles started together end up
/// at one core.
package struct CoreLauncher: Sendable {
    private let directories: Directories
    /// How long a starting core may take until it listens.
    private let patience = Duration.seconds(8)

    package init(directories: Directories) {
        self.directories = directories
    }

    /// Connects to the running core; `nil` when none runs. A core that starts just now, or whose socket was removed, has
    /// the lock already and makes its socket within a second: it is waited for.
    package func connect() throws(ClientError) -> CoreConnection? {
        let deadline = MonoTime.now() + .seconds(2)
        while true {
            if let connection = try connectNow() { return connection }
            guard CoreLock.owner(lockPath: directories.lockPath) != nil, MonoTime.now() < deadline else { return nil }
            poll(nil, 0, 5)
        }
    }

    private func connectNow() throws(ClientError) -> CoreConnection? {
        for path in socketPaths {
            if let socket = try UnixSocket.connect(to: path) { return CoreConnection(socket) }
        }
        return nil
    }

    /// Whether somebody listens at the Unix socket `path`.
    package static func isListening(_ path: String) throws(ClientError) -> Bool {
        try UnixSocket.connect(to: path) != nil
    }

    /// Connects to the running core, starting one if none runs. `arguments` are added to the core's command line.
    package func connectOrStart(arguments: [String] = []) throws(ClientError) -> CoreConnection {
        if let connection = try connect() { return connection }
        do throws(UserFacingError) {
            try directories.prepareRuntime()
            try directories.prepareState()
        } catch {
            throw .path(error.description)
        }
        let lock = try StartLock(path: directories.state + "/start.lock")
        defer { lock.release() }
        if let connection = try connect() { return connection }
        return try start(arguments: arguments)
    }

    /// The socket of these directories, then the one that the running core names in its lock file: consoles with another
    /// runtime directory find it all the same.
    private var socketPaths: [String] {
        guard let owner = CoreLock.owner(lockPath: directories.lockPath), owner.socketPath != directories.socketPath
        else { return [directories.socketPath] }
        return [directories.socketPath, owner.socketPath]
    }

    private func start(arguments: [String]) throws(ClientError) -> CoreConnection {
        let deadline = MonoTime.now() + patience
        var child: pid_t?
        if CoreLock.owner(lockPath: directories.lockPath) == nil { child = try spawn(arguments: arguments) }
        while MonoTime.now() < deadline {
            if let connection = try connectNow() { return connection }
            if let pid = child, let why = exitReason(of: pid) { throw .cannotStart(why) }
            poll(nil, 0, 5)
        }
        throw .cannotStart("it did not listen within \(Int(patience.seconds)) s; see \(directories.logPath)")
    }

    private func spawn(arguments: [String]) throws(ClientError) -> pid_t {
        let words = ["hoot", "core", "--foreground"] + arguments
        var vector: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        let log = open(directories.logPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { if log >= 0 { close(log) } }
        var pid: pid_t = 0
        let error = clinux_spawn_detached("/proc/self/exe", &vector, environ, log, &pid)
        guard error == 0 else { throw .cannotStart(describe(error)) }
        return pid
    }

    private func exitReason(of pid: pid_t) -> String? {
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
        // Another console's core may have won the lock: connecting again finds it.
        if let owner = CoreLock.owner(lockPath: directories.lockPath), owner.pid != pid { return nil }
        return lastComplaint() ?? "it ended at once; see \(directories.logPath)"
    }

    /// What the core last complained of, without the name of the program in front.
    private func lastComplaint() -> String? {
        let log = open(directories.logPath, O_RDONLY | O_CLOEXEC)
        guard log >= 0 else { return nil }
        defer { close(log) }
        var tail = [UInt8](repeating: 0, count: 4096)
        let start = max(0, Int(lseek(log, 0, SEEK_END)) - tail.count)
        let count = max(0, pread(log, &tail, tail.count, start))
        let lines = String(decoding: tail[..<count], as: UTF8.self).split(separator: "\n")
        return lines.last { $0.hasPrefix("hoot: core: ") }.map { String($0.dropFirst(12)) }
    }
}

/// Held while a core is being started.
private struct StartLock {
    private let descriptor: Int32

    init(path: String) throws(ClientError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .path("cannot write \(path): \(describe(errno))") }
        flock(descriptor, LOCK_EX)
    }

    func release() {
        close(descriptor)
    }
}
