import Primitives

/// Why a datagram is not an RTP packet.
package enum RTPError: Error, Equatable {
    /// Fewer bytes are left than the field needs.
    case truncated(need: Int, have: Int)
    /// The version field is not 2.
    case version(UInt8)
    /// The padding count in the last byte is 0 or greater than what follows the header.
    case padding(count: Int, have: Int)

    init(_ error: ByteError) {
        switch error {
        case .truncated(let need, let have):
            self = .truncated(need: need, have: have)
        }
    }
}
