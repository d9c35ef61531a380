import Glibc

/// A UDP port of loopback that answers nothing.
final class SilentPort {
    let port: UInt16
    private let descriptor: Int32

    init?() {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard let port = LoopbackPort.bind(descriptor) else { return nil }
        self.port = port
    }

    deinit {
        close(descriptor)
    }
}

/// Sockets on any free port of 127.0.0.1.
enum LoopbackPort {
    /// Binds a socket of IPv4 and gives its port.
    static func bind(_ descriptor: Int32) -> UInt16? {
        // sockaddr_in in bytes: its Swift type belongs to whichever C module showed it first.
        var address: [UInt8] = [UInt8(AF_INET), 0, 0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        var length = socklen_t(address.count)
        let bound = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.bind(descriptor, $0.baseAddress, length) == 0
                    && getsockname(descriptor, $0.baseAddress, &length) == 0
            }
        }
        return bound ? UInt16(address[2]) << 8 | UInt16(address[3]) : nil
    }

    /// Connects a socket of IPv4 to a port. Returns whether it could be done.
    static func connect(_ descriptor: Int32, to port: UInt16) -> Bool {
        let address: [UInt8] =
            [UInt8(AF_INET), 0, UInt8(port >> 8), UInt8(port & 255), 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        return address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.connect(descriptor, $0.baseAddress, socklen_t(address.count)) == 0
            }
        }
    }
}
