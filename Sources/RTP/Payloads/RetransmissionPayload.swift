package import Primitives

/// A packet sent again in a stream of its own (RFC 4588, section 4): the original's number, then its payload.
package enum RetransmissionPayload {
    /// Bytes in front of the original payload.
    package static let headerByteCount = 2

    /// The number of the original and where its payload begins; `nil`: padding, which browsers send there to probe.
    package static func original(in payload: RawSpan) -> (number: SequenceNumber, payload: Range<Int>)? {
        var offset = 0
        guard let number = try? payload.readUInt16(at: &offset), offset < payload.byteCount else { return nil }
        return (SequenceNumber(number), offset..<payload.byteCount)
    }

    /// The payload that carries `original`, which had `number`.
    package static func bytes(_ number: SequenceNumber, original: some Collection<UInt8>) -> [UInt8] {
        var writer = ByteWriter(capacity: headerByteCount + original.count)
        writer.write(number.rawValue)
        writer.write(original)
        return writer.bytes
    }
}
