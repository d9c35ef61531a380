/// Why a byte sequence could not be read.
package enum ByteError: Error, Equatable {
    /// Fewer bytes are left than the field needs.
    case truncated(need: Int, have: Int)
}

/// Big-endian fields, read front to back with every access checked: `offset` is that of the next byte and moves past
/// the field. `let part = span.extracting(try span.take(4, at: &offset))` is the way to a part of the span.
extension RawSpan {
    /// A copy of the bytes.
    package var bytes: [UInt8] {
        withUnsafeBytes { [UInt8]($0) }
    }

    package func readUInt8(at offset: inout Int) throws(ByteError) -> UInt8 {
        unsafeLoad(fromByteOffset: try take(1, at: &offset).lowerBound, as: UInt8.self)
    }

    package func readUInt16(at offset: inout Int) throws(ByteError) -> UInt16 {
        UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: try take(2, at: &offset).lowerBound, as: UInt16.self))
    }

    package func readUInt24(at offset: inout Int) throws(ByteError) -> UInt32 {
        let high = UInt32(try readUInt8(at: &offset))
        return high << 16 | UInt32(try readUInt16(at: &offset))
    }

    package func readUInt32(at offset: inout Int) throws(ByteError) -> UInt32 {
        UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: try take(4, at: &offset).lowerBound, as: UInt32.self))
    }

    package func readUInt64(at offset: inout Int) throws(ByteError) -> UInt64 {
        UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: try take(8, at: &offset).lowerBound, as: UInt64.self))
    }

    /// The next `count` bytes, copied.
    package func readBytes(_ count: Int, at offset: inout Int) throws(ByteError) -> [UInt8] {
        extracting(try take(count, at: &offset)).bytes
    }

    /// The range of the next `count` bytes, which `offset` then moves past.
    package func take(_ count: Int, at offset: inout Int) throws(ByteError) -> Range<Int> {
        guard count >= 0, offset >= 0, byteCount - offset >= count else {
            throw .truncated(need: count, have: byteCount - offset)
        }
        defer { offset += count }
        return offset..<offset + count
    }
}
