import Primitives

/// What a datagram on a media socket is, by its first byte (RFC 7983, section 7).
package enum DatagramClass: Hashable, Sendable {
    case stun
    case dtls
    case turnChannel
    /// An RTP packet.
    case rtp
    /// An RTCP packet on the same port (RFC 5761, section 4).
    case rtcp
    /// Anything else, an empty datagram included: to be dropped and counted.
    case unknown

    package init(_ datagram: RawSpan) {
        var offset = 0
        guard let first = try? datagram.readUInt8(at: &offset) else {
            self = .unknown
            return
        }
        switch first {
        case 0...3: self = .stun
        case 20...63: self = .dtls
        case 64...79: self = .turnChannel
        case 128...191:
            guard let second = try? datagram.readUInt8(at: &offset) else {
                self = .unknown
                return
            }
            self = (192...223).contains(second) ? .rtcp : .rtp
        default: self = .unknown
        }
    }
}
