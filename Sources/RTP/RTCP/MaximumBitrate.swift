package import Primitives

/// The greatest total bitrate that a receiver wants (draft-alvestrand-rmcat-remb-03, section 2.2).
package struct MaximumBitrate: Hashable, Sendable {
    /// Application-layer feedback, told apart by the name `REMB`.
    static let format: UInt8 = 15
    private static let name: UInt32 = 0x5245_4D42

    package var sender: SSRC
    /// Saturates; is rounded down to 18 significant bits when written.
    package var bitsPerSecond: UInt64
    package var media: [SSRC]

    package init(sender: SSRC, bitsPerSecond: UInt64, media: [SSRC]) {
        self.sender = sender
        self.bitsPerSecond = bitsPerSecond
        self.media = media
    }

    /// `nil`: feedback of another application.
    init?(_ body: RawSpan) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        _ = try body.readUInt32(at: &offset)
        guard try body.readUInt32(at: &offset) == Self.name else { return nil }
        let count = try body.readUInt8(at: &offset)
        let bits = try body.readUInt24(at: &offset)
        let exponent = bits >> 18
        let mantissa = UInt64(bits & 0x3FFFF)
        bitsPerSecond = mantissa.leadingZeroBitCount < exponent ? .max : mantissa << exponent
        media = []
        for _ in 0..<count {
            media.append(SSRC(try body.readUInt32(at: &offset)))
        }
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        writer.write(UInt32(0))
        writer.write(Self.name)
        writer.write(UInt8(min(media.count, 255)))
        let exponent = UInt32(max(0, 64 - bitsPerSecond.leadingZeroBitCount - 18))
        writer.write24(exponent << 18 | UInt32(bitsPerSecond >> exponent))
        for source in media.prefix(255) {
            writer.write(source.rawValue)
        }
    }
}
