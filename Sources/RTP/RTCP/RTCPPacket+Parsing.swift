import Primitives

extension RTCPPacket {
    /// What became of one packet's body.
    enum Parsed {
        case packet(RTCPPacket)
        /// A type or format that is not understood.
        case skipped
        /// The body contradicts its own counts.
        case malformed
    }

    /// Parses the body of a packet, which is `span` without header and padding.
    static func parse(type: UInt8, count: UInt8, body: RawSpan) -> Parsed {
        do {
            let packet = try understood(type: type, count: count, body: body)
            return packet.map { .packet($0) } ?? .skipped
        } catch {
            return .malformed
        }
    }

    private static func understood(type: UInt8, count: UInt8, body: RawSpan) throws(ByteError) -> RTCPPacket? {
        switch type {
        case RTCPType.senderReport: .senderReport(try SenderReport(body, blockCount: count))
        case RTCPType.receiverReport: .receiverReport(try ReceiverReport(body, blockCount: count))
        case RTCPType.sourceDescription: .sourceDescription(try SourceDescription.chunks(body, count: count))
        case RTCPType.goodbye: .goodbye(try Goodbye(body, sourceCount: count))
        case RTCPType.transportFeedback: try transportFeedback(format: count, body: body)
        case RTCPType.payloadFeedback: try payloadFeedback(format: count, body: body)
        case RTCPType.extendedReport: .extendedReport(try ExtendedReport(body))
        default: nil
        }
    }

    private static func transportFeedback(format: UInt8, body: RawSpan) throws(ByteError) -> RTCPPacket? {
        switch format {
        case NegativeAcknowledgement.format: .nack(try NegativeAcknowledgement(body))
        case TransportFeedback.format: .transportFeedback(try TransportFeedback(body))
        default: nil
        }
    }

    private static func payloadFeedback(format: UInt8, body: RawSpan) throws(ByteError) -> RTCPPacket? {
        switch format {
        case 1:
            var offset = 0
            let sender = SSRC(try body.readUInt32(at: &offset))
            return .pictureLoss(sender: sender, media: SSRC(try body.readUInt32(at: &offset)))
        case FullIntraRequest.format:
            return .fullIntraRequest(try FullIntraRequest(body))
        case MaximumBitrate.format:
            return try MaximumBitrate(body).map { .maximumBitrate($0) }
        default:
            return nil
        }
    }
}
