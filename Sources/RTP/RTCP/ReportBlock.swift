package import Primitives

/// What a receiver tells of one source (RFC 3550, section 6.4.1).
package struct ReportBlock: Hashable, Sendable, BitwiseCopyable {
    package static let byteCount = 24

    /// The source reported on.
    package var source: SSRC
    /// The share lost since the previous report, in 256ths.
    package var fractionLost: UInt8
    /// Packets lost since the source began, −2²³…2²³−1.
    package var cumulativeLost: Int32
    /// The highest sequence number received, with the count of its wraps above.
    package var highestSequence: UInt32
    /// Interarrival jitter, in ticks of the source's RTP clock.
    package var jitter: UInt32
    /// The middle of the last sender report's NTP time; 0: none was received.
    package var lastSenderReport: UInt32
    /// The time since that report came, in 65,536ths of a second.
    package var delaySinceLastSenderReport: UInt32

    package init(
        source: SSRC, fractionLost: UInt8, cumulativeLost: Int32, highestSequence: UInt32, jitter: UInt32,
        lastSenderReport: UInt32 = 0, delaySinceLastSenderReport: UInt32 = 0
    ) {
        self.source = source
        self.fractionLost = fractionLost
        self.cumulativeLost = min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)
        self.highestSequence = highestSequence
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    init(_ body: RawSpan, at offset: inout Int) throws(ByteError) {
        source = SSRC(try body.readUInt32(at: &offset))
        fractionLost = try body.readUInt8(at: &offset)
        cumulativeLost = Int32(bitPattern: try body.readUInt24(at: &offset) << 8) >> 8
        highestSequence = try body.readUInt32(at: &offset)
        jitter = try body.readUInt32(at: &offset)
        lastSenderReport = try body.readUInt32(at: &offset)
        delaySinceLastSenderReport = try body.readUInt32(at: &offset)
    }

    func write(into writer: inout ByteWriter) {
        writer.write(source.rawValue)
        writer.write(fractionLost)
        writer.write24(UInt32(bitPattern: cumulativeLost))
        writer.write(highestSequence)
        writer.write(jitter)
        writer.write(lastSenderReport)
        writer.write(delaySinceLastSenderReport)
    }

    static func blocks(
        _ body: RawSpan, count: UInt8, at offset: inout Int
    ) throws(ByteError) -> [ReportBlock] {
        var blocks: [ReportBlock] = []
        for _ in 0..<count {
            blocks.append(try ReportBlock(body, at: &offset))
        }
        return blocks
    }
}
