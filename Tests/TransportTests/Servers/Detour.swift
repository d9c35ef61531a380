import Glibc
import Primitives
import Reactor

/// A UDP port of loopback that passes each datagram on to another port, later, and the answers back: a longer way.
@EngineActor
final class Detour {
    let port: UInt16
    private let inner: Int32
    private let outer: Int32
    private let delay: Duration
    private var sources: [DescriptorSource] = []
    private var timers: [Int: EngineTimer] = [:]
    private var count = 0
    /// Who asked last.
    private var client: [UInt8] = []

    init?(to target: UInt16, delay: Duration) {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        (inner, outer) = (socket(AF_INET, kind, 0), socket(AF_INET, kind, 0))
        self.delay = delay
        let place: [UInt8] =
            [UInt8(AF_INET), 0, UInt8(target >> 8), UInt8(target & 255), 127, 0, 0, 1]
            + [UInt8](repeating: 0, count: 8)
        guard let port = LoopbackPort.bind(inner), LoopbackPort.bind(outer) != nil else { return nil }
        self.port = port
        sources = [
            DescriptorSource(inner, .readable) { [weak self] _ in
                guard let self else { return }
                pass(from: inner, { $0.client = $1 }, to: outer) { _ in place }
            },
            DescriptorSource(outer, .readable) { [weak self] _ in
                guard let self else { return }
                pass(from: outer, { _, _ in }, to: inner) { $0.client }
            },
        ]
    }

    isolated deinit {
        close(inner)
        close(outer)
    }

    private func pass(
        from source: Int32, _ note: (Detour, [UInt8]) -> Void, to target: Int32,
        _ place: @escaping @EngineActor (Detour) -> [UInt8]
    ) {
        var datagram = [UInt8](repeating: 0, count: 2048)
        var sender = [UInt8](repeating: 0, count: 16)
        var length = socklen_t(sender.count)
        let size = sender.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                recvfrom(source, &datagram, datagram.count, 0, $0.baseAddress, &length)
            }
        }
        guard size > 0 else { return }
        note(self, sender)
        let bytes = Array(datagram[..<size])
        count += 1
        let number = count
        timers[number] = EngineTimer { [weak self] in
            guard let self else { return }
            timers[number] = nil
            place(self).withUnsafeBytes { address in
                address.withMemoryRebound(to: sockaddr.self) {
                    _ = sendto(target, bytes, bytes.count, 0, $0.baseAddress, 16)
                }
            }
        }
        timers[number]?.arm(after: delay)
    }
}
