package import Primitives

/// Demands a key frame of each of some streams (RFC 5104, section 4.3.1).
package struct FullIntraRequest: Hashable, Sendable {
    static let format: UInt8 = 4

    /// One stream's demand. A repeated number is the same demand again.
    package struct Entry: Hashable, Sendable, BitwiseCopyable {
        package var media: SSRC
        package var number: UInt8

        package init(media: SSRC, number: UInt8) {
            self.media = media
            self.number = number
        }
    }

    package var sender: SSRC
    package var entries: [Entry]

    package init(sender: SSRC, entries: [Entry]) {
        self.sender = sender
        self.entries = entries
    }

    init(_ body: RawSpan) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        _ = try body.readUInt32(at: &offset)
        entries = []
        while offset < body.byteCount {
            let media = SSRC(try body.readUInt32(at: &offset))
            entries.append(Entry(media: media, number: try body.readUInt8(at: &offset)))
            _ = try body.take(3, at: &offset)
        }
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        writer.write(UInt32(0))
        for entry in entries {
            writer.write(entry.media.rawValue)
            writer.write(UInt32(entry.number) << 24)
        }
    }
}
