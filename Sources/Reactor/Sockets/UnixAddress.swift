import Glibc

/// A Unix socket's address, checked to fit.
struct UnixAddress {
    /// Bytes that a path may have, its terminating zero not counted.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private var address = sockaddr_un()
    let path: String

    init(path: String) throws(SocketError) {
        guard path.utf8.count <= Self.limit else { throw .pathTooLong(path: path, limit: Self.limit) }
        self.path = path
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// A new stream socket, closed on exec and not blocking.
    func makeSocket() throws(SocketError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw .last("socket", path) }
        return descriptor
    }
}
