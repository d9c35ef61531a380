import CLinux
import Glibc

/// The lock in the state directory that makes a core the only one of its user. Held until the process ends; the file
/// says who holds it and where its socket is.
package struct CoreLock: ~Copyable {
    private let descriptor: Int32

    /// The process that holds the lock.
    package struct Owner: Hashable, Sendable {
        package var pid: Int32
        package var socketPath: String
    }

    /// Takes the lock, or gives `nil` when another core holds it. Throws when the file cannot be made.
    package init?(lockPath: String, socketPath: String) throws(ClientError) {
        descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .path("\(lockPath) cannot be written: \(describe(errno))") }
        guard clinux_lock(descriptor) == 0 else {
            close(descriptor)
            return nil
        }
        let text = Array("\(getpid())\n\(socketPath)\n".utf8)
        ftruncate(descriptor, 0)
        pwrite(descriptor, text, text.count, 0)
    }

    deinit {
        close(descriptor)
    }

    /// Who holds the lock; `nil` when nobody does.
    package static func owner(lockPath: String) -> Owner? {
        let descriptor = open(lockPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard clinux_is_locked(descriptor) == 1 else { return nil }
        var text = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(descriptor, &text, text.count, 0))
        let lines = String(decoding: text[..<count], as: UTF8.self).split(separator: "\n")
        guard lines.count >= 2, let pid = Int32(lines[0]) else { return nil }
        return Owner(pid: pid, socketPath: String(lines[1]))
    }
}
