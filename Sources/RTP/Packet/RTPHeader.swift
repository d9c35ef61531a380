package import Primitives

/// The fixed fields of an RTP header (RFC 3550, section 5.1).
package struct RTPHeader: Hashable, Sendable, BitwiseCopyable {
    /// The fixed header's length on the wire.
    package static let byteCount = 12
    /// The most contributing sources that a packet can name.
    package static let maximumContributorCount = 15

    package var marker: Bool
    package var payloadType: PayloadType
    package var sequenceNumber: SequenceNumber
    /// In ticks of the payload's RTP clock, from a random origin.
    package var timestamp: UInt32
    package var ssrc: SSRC

    package init(
        marker: Bool = false, payloadType: PayloadType, sequenceNumber: SequenceNumber, timestamp: UInt32, ssrc: SSRC
    ) {
        self.marker = marker
        self.payloadType = payloadType
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.ssrc = ssrc
    }
}
