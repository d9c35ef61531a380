import CLinux
import Glibc
package import Primitives

/// Waits for things of the file system by event, with a deadline.
package enum SocketWatch {
    /// Returns whether a Unix socket at `path`, whose directory exists, accepts connections before `deadline`.
    package static func waitUntilListening(_ path: String, until deadline: MonoTime) -> Bool {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0 else { return false }
        defer { close(watch) }
        let directory = path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        inotify_add_watch(watch, directory, UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE))
        while true {
            if accepts(path) { return true }
            let left = deadline - MonoTime.now()
            guard left > .zero else { return false }
            // The socket's file appears a moment before it listens: look again shortly after each event.
            let wait = access(path, F_OK) == 0 ? min(left, .milliseconds(2)) : left
            var descriptor = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            if poll(&descriptor, 1, Int32(wait.milliseconds.rounded(.up))) > 0 { drain(watch) }
        }
    }

    private static func drain(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { _ = read(descriptor, $0.baseAddress, $0.count) }
    }

    private static func accepts(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
    }
}
