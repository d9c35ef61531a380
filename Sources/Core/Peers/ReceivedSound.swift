import MediaEngine
import Primitives
import RTP
import SDP

/// Where the payloads lie in one packet of sound: its own, and those of earlier packets (RFC 2198).
struct ReceivedSound {
    let format: AudioParameters.Format
    /// In the datagram, as all ranges here.
    let payload: Range<Int>
    /// The newest first.
    private let repeated: [RedundantPayload.Block]
    private let start: Int

    /// `nil`: no encoding that was agreed on, or malformed.
    init?(_ packet: RTPPacket, of datagram: RawSpan, _ media: AudioParameters) {
        let type = packet.header.payloadType
        start = packet.payloadRange.lowerBound
        guard type == media.receivedRedundancy else {
            guard let format = media.receiving.first(where: { $0.payloadType == type }) else { return nil }
            self.format = format
            payload = packet.payloadRange
            repeated = []
            return
        }
        guard let parsed = RedundantPayload(parsing: datagram.extracting(packet.payloadRange)),
            let format = media.receiving.first(where: { $0.payloadType == parsed.primaryType })
        else { return nil }
        self.format = format
        payload = start + parsed.primary.lowerBound..<start + parsed.primary.upperBound
        repeated = parsed.redundant.reversed()
    }

    /// The earlier packets, of which `packet` has copies. Nothing in a copy says its number: the senders repeat the packets
    /// directly before, without a gap.
    func copies(after packet: AudioPacket) -> [(packet: AudioPacket, payload: Range<Int>)] {
        repeated.enumerated().filter { !$1.range.isEmpty }.map { index, block in
            var copy = packet
            copy.payloadType = block.payloadType.rawValue
            copy.sequenceNumber &-= UInt16(truncatingIfNeeded: index + 1)
            copy.timestamp &-= UInt32(block.timestampOffset)
            copy.marker = false
            copy.level = 255
            copy.isCopy = true
            return (copy, start + block.range.lowerBound..<start + block.range.upperBound)
        }
    }
}
