/// One packet of video on its way to the pacer.
package struct OutgoingVideoPacket: Hashable, Sendable {
    /// The whole RTP packet, not yet encrypted.
    package var bytes: [UInt8]
    /// Sent before, now in answer to a negative acknowledgement; or padding.
    package var isRetransmission: Bool

    package init(bytes: [UInt8], isRetransmission: Bool) {
        self.bytes = bytes
        self.isRetransmission = isRetransmission
    }
}
