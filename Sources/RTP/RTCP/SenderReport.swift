package import Primitives

/// What a sender tells of itself and of those it hears (RFC 3550, section 6.4.1). Profile extensions are ignored.
package struct SenderReport: Hashable, Sendable {
    package var sender: SSRC
    package var ntp: NTPTime
    /// The same instant on the stream's RTP clock.
    package var rtpTimestamp: UInt32
    package var packetCount: UInt32
    /// Bytes of payload, without headers and padding.
    package var byteCount: UInt32
    /// At most 31 are written.
    package var blocks: [ReportBlock]

    package init(
        sender: SSRC, ntp: NTPTime, rtpTimestamp: UInt32, packetCount: UInt32, byteCount: UInt32,
        blocks: [ReportBlock] = []
    ) {
        self.sender = sender
        self.ntp = ntp
        self.rtpTimestamp = rtpTimestamp
        self.packetCount = packetCount
        self.byteCount = byteCount
        self.blocks = blocks
    }

    init(_ body: RawSpan, blockCount: UInt8) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        ntp = NTPTime(bits: try body.readUInt64(at: &offset))
        rtpTimestamp = try body.readUInt32(at: &offset)
        packetCount = try body.readUInt32(at: &offset)
        byteCount = try body.readUInt32(at: &offset)
        blocks = try ReportBlock.blocks(body, count: blockCount, at: &offset)
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        writer.write(ntp.bits)
        writer.write(rtpTimestamp)
        writer.write(packetCount)
        writer.write(byteCount)
        for block in blocks.prefix(RTCPPacket.maximumItemCount) {
            block.write(into: &writer)
        }
    }
}
