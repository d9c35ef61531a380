import Glibc
import Primitives
import Reactor

/// A TCP port of loopback that passes every byte on to another port, and the answers back, and keeps what it saw.
@EngineActor
final class WireTap {
    let port: UInt16
    /// What clients have sent, all of it in one.
    private(set) var sent: [UInt8] = []
    /// What the server has sent.
    private(set) var received: [UInt8] = []
    private let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    private let target: UInt16
    private var descriptors: [Int32] = []
    private var sources: [DescriptorSource] = []

    init?(to target: UInt16) {
        self.target = target
        guard let port = LoopbackPort.bind(listener), listen(listener, 8) == 0 else { return nil }
        self.port = port
        sources = [DescriptorSource(listener, .readable) { [weak self] _ in self?.accept() }]
    }

    isolated deinit {
        for descriptor in descriptors + [listener] { close(descriptor) }
    }

    private func accept() {
        let near = Glibc.accept(listener, nil, nil)
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard near >= 0, LoopbackPort.connect(far, to: target) else { return }
        descriptors += [near, far]
        pass(from: near, to: far) { $0.sent += $1 }
        pass(from: far, to: near) { $0.received += $1 }
    }

    private func pass(from: Int32, to: Int32, _ keep: @escaping @EngineActor (WireTap, [UInt8]) -> Void) {
        let index = sources.count
        sources.append(
            DescriptorSource(from, .readable) { [weak self] _ in
                var chunk = [UInt8](repeating: 0, count: 16_384)
                let count = read(from, &chunk, chunk.count)
                guard let self, count > 0 else {
                    self?.sources[index].watch([])
                    shutdown(to, Int32(SHUT_WR))
                    return
                }
                keep(self, Array(chunk[..<count]))
                _ = write(to, chunk, count)
            })
    }
}

/// The records of TLS (RFC 8446, section 5.1) that some bytes consist of.
struct TLSRecords {
    /// The content types in their order; `nil`: the bytes are something else.
    let types: [UInt8]?

    init(_ bytes: [UInt8]) {
        var types: [UInt8] = []
        var rest = bytes[...]
        while rest.count >= 5 {
            let header = Array(rest.prefix(5))
            guard (20...23).contains(header[0]), header[1] == 3 else {
                self.types = nil
                return
            }
            types.append(header[0])
            rest = rest.dropFirst(5 + Int(header[3]) << 8 + Int(header[4]))
        }
        self.types = types
    }
}
