package import Primitives

/// One chunk of a source description: a source and its canonical name (RFC 3550, section 6.5). Other items are ignored.
package struct SourceDescription: Hashable, Sendable {
    package var source: SSRC
    /// At most 255 bytes are written; `nil`: the chunk has none.
    package var canonicalName: String?

    private static let canonicalNameItem: UInt8 = 1

    package init(source: SSRC, canonicalName: String?) {
        self.source = source
        self.canonicalName = canonicalName
    }

    private init(_ body: RawSpan, at offset: inout Int) throws(ByteError) {
        let start = offset
        source = SSRC(try body.readUInt32(at: &offset))
        while true {
            let item = try body.readUInt8(at: &offset)
            guard item != 0 else { break }
            let length = Int(try body.readUInt8(at: &offset))
            let text = try body.readBytes(length, at: &offset)
            if item == Self.canonicalNameItem {
                canonicalName = String(decoding: text, as: UTF8.self)
            }
        }
        _ = try body.take((4 - (offset - start) % 4) % 4, at: &offset)
    }

    static func chunks(_ body: RawSpan, count: UInt8) throws(ByteError) -> [SourceDescription] {
        var offset = 0
        var chunks: [SourceDescription] = []
        for _ in 0..<count {
            chunks.append(try SourceDescription(body, at: &offset))
        }
        return chunks
    }

    func write(into writer: inout ByteWriter) {
        let start = writer.count
        writer.write(source.rawValue)
        if let canonicalName {
            let text = Array(canonicalName.utf8.prefix(255))
            writer.write(Self.canonicalNameItem)
            writer.write(UInt8(text.count))
            writer.write(text)
        }
        repeat {
            writer.write(UInt8(0))
        } while (writer.count - start) % 4 != 0
    }
}
