/// One packet of video on its way to the pacer.
package struct OutgoingVideoPacket: Hashable, Sendable {
    /// The whole RTP packet, not yet encrypted.
    package var bytes: [UInt8]
    /// Sent before, now in answer to a negative acknowledgement.
    package var isRetransmission: Bool
    /// Where two bytes wait for the transport-wide sequence number; `nil`: that extension was not negotiated.
    package var transportSequenceOffset: Int?

    package init(bytes: [UInt8], isRetransmission: Bool, transportSequenceOffset: Int?) {
        self.bytes = bytes
        self.isRetransmission = isRetransmission
        self.transportSequenceOffset = transportSequenceOffset
    }
}
