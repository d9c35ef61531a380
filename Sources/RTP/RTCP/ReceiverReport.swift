package import Primitives

/// What one who sends nothing tells of those it hears (RFC 3550, section 6.4.2). Profile extensions are ignored.
package struct ReceiverReport: Hashable, Sendable {
    package var sender: SSRC
    /// At most 31 are written.
    package var blocks: [ReportBlock]

    package init(sender: SSRC, blocks: [ReportBlock] = []) {
        self.sender = sender
        self.blocks = blocks
    }

    init(_ body: RawSpan, blockCount: UInt8) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        blocks = try ReportBlock.blocks(body, count: blockCount, at: &offset)
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        for block in blocks.prefix(RTCPPacket.maximumItemCount) {
            block.write(into: &writer)
        }
    }
}
