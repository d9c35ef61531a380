import Primitives

/// Why a datagram is not a sequence of RTCP packets.
package enum RTCPError: Error, Equatable {
    /// Fewer bytes are left than a packet's header or its length field needs.
    case truncated(need: Int, have: Int)
    /// A packet's version field is not 2.
    case version(UInt8)
    /// The padding count is 0, no multiple of 4, or greater than the packet's body.
    case padding(count: Int, have: Int)

    init(_ error: ByteError) {
        switch error {
        case .truncated(let need, let have):
            self = .truncated(need: need, have: have)
        }
    }
}
