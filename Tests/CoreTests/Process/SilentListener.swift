import Glibc
import Primitives

/// A TCP port of loopback that takes connections and never says a word.
final class SilentListener {
    let port: UInt16
    private let descriptor: Int32
    private var clients: [Int32] = []

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else {
            throw UserFacingError("no port of loopback is free", why: String(cString: strerror(errno)))
        }
    }

    deinit {
        for client in clients + [descriptor] { close(client) }
    }

    /// Whether somebody connects within `limit`.
    func waitForClient(within limit: Duration) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&poller, 1, Int32(limit.milliseconds)) > 0 else { return false }
        clients.append(accept(descriptor, nil, nil))
        return true
    }
}
