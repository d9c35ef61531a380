import Glibc

/// A connected Unix stream socket: owns its descriptor.
struct UnixSocket: ~Copyable {
    let descriptor: Int32

    /// Connects to the socket at `path`; `nil` when nobody listens there.
    static func connect(to path: String) throws(ClientError) -> UnixSocket? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else {
            throw .path(
                "the socket path \(path) is longer than \(room - 1) bytes; set HOOT_RUNTIME_DIR to a shorter directory")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .lost(describe(errno)) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let error = errno
        guard result == 0 else {
            close(descriptor)
            guard error == EACCES || error == EPERM else { return nil }
            throw .path("the socket \(path) belongs to another user; set HOOT_RUNTIME_DIR to a directory of yours")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        return UnixSocket(descriptor: descriptor)
    }

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}

/// The system's text for an error number.
func describe(_ error: Int32) -> String {
    String(cString: strerror(error))
}
