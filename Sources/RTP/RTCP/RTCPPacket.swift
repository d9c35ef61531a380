package import Primitives

/// One RTCP packet that this program understands.
package enum RTCPPacket: Hashable, Sendable {
    case senderReport(SenderReport)
    case receiverReport(ReceiverReport)
    case sourceDescription([SourceDescription])
    case goodbye(Goodbye)
    /// Generic NACK (RFC 4585, section 6.2.1).
    case nack(NegativeAcknowledgement)
    /// Picture loss indication (RFC 4585, section 6.3.1).
    case pictureLoss(sender: SSRC, media: SSRC)
    /// Full intra request (RFC 5104, section 4.3.1).
    case fullIntraRequest(FullIntraRequest)
    /// Receiver estimated maximum bitrate (draft-alvestrand-rmcat-remb).
    case maximumBitrate(MaximumBitrate)
    /// Arrival times of all packets of the transport (draft-holmer-rmcat-transport-wide-cc-extensions).
    case transportFeedback(TransportFeedback)
    case extendedReport(ExtendedReport)
}

/// The packet types (RFC 3550, section 12.1; RFC 4585; RFC 3611).
enum RTCPType {
    static let senderReport: UInt8 = 200
    static let receiverReport: UInt8 = 201
    static let sourceDescription: UInt8 = 202
    static let goodbye: UInt8 = 203
    static let application: UInt8 = 204
    static let transportFeedback: UInt8 = 205
    static let payloadFeedback: UInt8 = 206
    static let extendedReport: UInt8 = 207
}
