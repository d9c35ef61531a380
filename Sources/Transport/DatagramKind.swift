/// What arrives on the one port (RFC 7983, section 7; RFC 5761, section 4). libnice keeps STUN to itself.
package enum DatagramKind: Hashable, Sendable {
    case dtls
    case rtp
    case rtcp
    case other

    /// Tells by the first two bytes.
    package init(_ datagram: UnsafeRawBufferPointer) {
        guard datagram.count >= 2 else {
            self = .other
            return
        }
        switch (datagram[0], datagram[1]) {
        case (20...63, _): self = .dtls
        case (128...191, 192...223): self = .rtcp
        case (128...191, _): self = .rtp
        default: self = .other
        }
    }
}
