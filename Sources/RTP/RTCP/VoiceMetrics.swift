package import Primitives

/// What a telephone tells of the sound it hears (RFC 3611, section 4.7), as far as this program can use it.
package struct VoiceMetrics: Hashable, Sendable {
    /// The source reported on.
    package var source: SSRC
    /// The share lost since the source began, in 256ths.
    package var lossRate: UInt8
    /// The share that came too early or too late, in 256ths.
    package var discardRate: UInt8
    /// The round trip in milliseconds.
    package var roundTripMilliseconds: UInt16
    /// Delay in the far end's own system, in milliseconds.
    package var endSystemMilliseconds: UInt16
    /// The rating of G.107; 127: unavailable.
    package var ratingFactor: UInt8
    /// The listening-quality score times 10; 127: unavailable.
    package var listeningScoreTenths: UInt8
    /// The jitter buffer's nominal delay, in milliseconds.
    package var jitterBufferMilliseconds: UInt16

    init(_ content: RawSpan) throws(ByteError) {
        var offset = 0
        source = SSRC(try content.readUInt32(at: &offset))
        lossRate = try content.readUInt8(at: &offset)
        discardRate = try content.readUInt8(at: &offset)
        _ = try content.take(6, at: &offset)
        roundTripMilliseconds = try content.readUInt16(at: &offset)
        endSystemMilliseconds = try content.readUInt16(at: &offset)
        _ = try content.take(4, at: &offset)
        ratingFactor = try content.readUInt8(at: &offset)
        _ = try content.take(1, at: &offset)
        listeningScoreTenths = try content.readUInt8(at: &offset)
        _ = try content.take(3, at: &offset)
        jitterBufferMilliseconds = try content.readUInt16(at: &offset)
        _ = try content.take(4, at: &offset)
    }

    /// Writes what is not kept as unavailable.
    func write(into writer: inout ByteWriter) {
        writer.write(source.rawValue)
        writer.write(lossRate)
        writer.write(discardRate)
        writer.write([UInt8](repeating: 0, count: 6))
        writer.write(roundTripMilliseconds)
        writer.write(endSystemMilliseconds)
        writer.write(UInt32(0x7F7F_7F10))
        writer.write(ratingFactor)
        writer.write(UInt8(127))
        writer.write(listeningScoreTenths)
        writer.write(UInt8(127))
        writer.write(UInt16(0))
        writer.write(jitterBufferMilliseconds)
        writer.write(UInt32(0))
    }
}
