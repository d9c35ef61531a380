package import Primitives

extension RTCPPacket {
    /// Appends the whole packet.
    package func write(into writer: inout ByteWriter) {
        let start = writer.count
        let (type, count) = typeAndCount
        writer.write(0x80 | count)
        writer.write(type)
        writer.write(UInt16(0))
        writeBody(into: &writer)
        while (writer.count - start) % 4 != 0 {
            writer.write(UInt8(0))
        }
        writer.patch(UInt16(truncatingIfNeeded: (writer.count - start) / 4 - 1), at: start + 2)
    }

    private var typeAndCount: (type: UInt8, count: UInt8) {
        switch self {
        case .senderReport(let report): (RTCPType.senderReport, Self.count(report.blocks))
        case .receiverReport(let report): (RTCPType.receiverReport, Self.count(report.blocks))
        case .sourceDescription(let chunks): (RTCPType.sourceDescription, Self.count(chunks))
        case .goodbye(let goodbye): (RTCPType.goodbye, Self.count(goodbye.sources))
        case .nack: (RTCPType.transportFeedback, NegativeAcknowledgement.format)
        case .pictureLoss: (RTCPType.payloadFeedback, 1)
        case .fullIntraRequest: (RTCPType.payloadFeedback, FullIntraRequest.format)
        case .maximumBitrate: (RTCPType.payloadFeedback, MaximumBitrate.format)
        case .transportFeedback: (RTCPType.transportFeedback, TransportFeedback.format)
        case .extendedReport: (RTCPType.extendedReport, 0)
        }
    }

    /// The count field holds 31 at most; the writers below write no more.
    private static func count(_ items: some Collection) -> UInt8 {
        UInt8(min(items.count, maximumItemCount))
    }

    private func writeBody(into writer: inout ByteWriter) {
        switch self {
        case .senderReport(let report): report.write(into: &writer)
        case .receiverReport(let report): report.write(into: &writer)
        case .sourceDescription(let chunks):
            for chunk in chunks.prefix(Self.maximumItemCount) {
                chunk.write(into: &writer)
            }
        case .goodbye(let goodbye): goodbye.write(into: &writer)
        case .nack(let nack): nack.write(into: &writer)
        case .pictureLoss(let sender, let media):
            writer.write(sender.rawValue)
            writer.write(media.rawValue)
        case .fullIntraRequest(let request): request.write(into: &writer)
        case .maximumBitrate(let bitrate): bitrate.write(into: &writer)
        case .transportFeedback(let feedback): feedback.write(into: &writer)
        case .extendedReport(let report): report.write(into: &writer)
        }
    }

    /// What the five-bit count field can say.
    static let maximumItemCount = 31
}
