package import Primitives

/// Where the parts of one RTP packet lie in its datagram (RFC 3550, section 5.1). Nothing is copied: ranges count from
/// the start of the datagram that was parsed, and only that datagram may be asked with them.
package struct RTPPacket: Hashable, Sendable {
    package var header: RTPHeader
    /// The contributing sources, four bytes each.
    package private(set) var contributorRange: Range<Int>
    /// The elements of the header extension, if its profile is one of RFC 8285's; otherwise `nil`.
    package private(set) var extensions: HeaderExtensionBlock?
    /// The payload without padding.
    package private(set) var payloadRange: Range<Int>
    /// Bytes of padding after the payload, the count byte included.
    package private(set) var paddingByteCount = 0

    /// Parses `datagram`. An unknown extension profile is skipped, as RFC 3550, section 5.3.1 has it.
    package init(parsing datagram: RawSpan) throws(RTPError) {
        guard datagram.byteCount >= RTPHeader.byteCount else {
            throw .truncated(need: RTPHeader.byteCount, have: datagram.byteCount)
        }
        let first = datagram.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        guard first >> 6 == 2 else { throw .version(first >> 6) }
        do {
            try self.init(datagram, firstByte: first)
        } catch {
            throw RTPError(error)
        }
        if first & 0x20 != 0 {
            try removePadding(datagram)
        }
    }

    /// Everything but padding, which is still part of the payload.
    private init(_ datagram: RawSpan, firstByte: UInt8) throws(ByteError) {
        var offset = 1
        header = try RTPHeader(datagram, at: &offset)
        contributorRange = try datagram.take(Int(firstByte & 15) * 4, at: &offset)
        if firstByte & 0x10 != 0 {
            extensions = try HeaderExtensionBlock(datagram, at: &offset)
        }
        payloadRange = offset..<datagram.byteCount
    }

    /// Bytes before the payload.
    package var headerByteCount: Int {
        payloadRange.lowerBound
    }

    /// The contributing sources, in order.
    package func contributors(in datagram: RawSpan) -> [SSRC] {
        var offset = contributorRange.lowerBound
        var sources: [SSRC] = []
        while offset < contributorRange.upperBound, let value = try? datagram.readUInt32(at: &offset) {
            sources.append(SSRC(value))
        }
        return sources
    }

    private mutating func removePadding(_ datagram: RawSpan) throws(RTPError) {
        guard !payloadRange.isEmpty else { throw .padding(count: 0, have: 0) }
        let count = Int(datagram.unsafeLoad(fromByteOffset: payloadRange.upperBound - 1, as: UInt8.self))
        guard count > 0, count <= payloadRange.count else {
            throw .padding(count: count, have: payloadRange.count)
        }
        paddingByteCount = count
        payloadRange = payloadRange.lowerBound..<payloadRange.upperBound - count
    }
}

extension RTPHeader {
    /// Reads the fixed fields after the first byte.
    fileprivate init(_ datagram: RawSpan, at offset: inout Int) throws(ByteError) {
        let second = try datagram.readUInt8(at: &offset)
        marker = second & 0x80 != 0
        payloadType = PayloadType(second & 0x7F)
        sequenceNumber = SequenceNumber(try datagram.readUInt16(at: &offset))
        timestamp = try datagram.readUInt32(at: &offset)
        ssrc = SSRC(try datagram.readUInt32(at: &offset))
    }
}
