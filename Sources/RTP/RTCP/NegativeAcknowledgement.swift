package import Primitives

/// Packets that a receiver misses (RFC 4585, section 6.2.1).
package struct NegativeAcknowledgement: Hashable, Sendable {
    static let format: UInt8 = 1

    package var sender: SSRC
    /// The stream that they are missed from.
    package var media: SSRC
    /// In the order of the packet; neighbours share an entry on the wire when they are sorted.
    package var missing: [SequenceNumber]

    package init(sender: SSRC, media: SSRC, missing: [SequenceNumber]) {
        self.sender = sender
        self.media = media
        self.missing = missing
    }

    init(_ body: RawSpan) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        media = SSRC(try body.readUInt32(at: &offset))
        missing = []
        repeat {
            let first = SequenceNumber(try body.readUInt16(at: &offset))
            let following = try body.readUInt16(at: &offset)
            missing.append(first)
            for bit in 0..<16 where following >> bit & 1 == 1 {
                missing.append(first + (bit + 1))
            }
        } while offset < body.byteCount
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        writer.write(media.rawValue)
        var rest = missing[...]
        while let first = rest.popFirst() {
            var following: UInt16 = 0
            while let next = rest.first, (1...16).contains(next.distance(from: first)) {
                following |= 1 << UInt16(next.distance(from: first) - 1)
                rest.removeFirst()
            }
            writer.write(first.rawValue)
            writer.write(following)
        }
    }
}
