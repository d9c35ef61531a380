package import Primitives

/// Sources that are no longer there (RFC 3550, section 6.6).
package struct Goodbye: Hashable, Sendable {
    /// At most 31 are written.
    package var sources: [SSRC]
    /// At most 255 bytes are written.
    package var reason: String?

    package init(sources: [SSRC], reason: String? = nil) {
        self.sources = sources
        self.reason = reason
    }

    init(_ body: RawSpan, sourceCount: UInt8) throws(ByteError) {
        var offset = 0
        sources = []
        for _ in 0..<sourceCount {
            sources.append(SSRC(try body.readUInt32(at: &offset)))
        }
        if offset < body.byteCount {
            let length = Int(try body.readUInt8(at: &offset))
            reason = String(decoding: try body.readBytes(length, at: &offset), as: UTF8.self)
        }
    }

    func write(into writer: inout ByteWriter) {
        for source in sources.prefix(RTCPPacket.maximumItemCount) {
            writer.write(source.rawValue)
        }
        if let reason {
            let text = Array(reason.utf8.prefix(255))
            writer.write(UInt8(text.count))
            writer.write(text)
        }
    }
}
