import Primitives

/// The packets of one RTCP datagram: compound (RFC 3550, section 6.1) or of reduced size (RFC 5506).
///
/// The sequence must be well framed from end to end or nothing of it is taken. Inside the frames, what is not
/// understood is skipped and what contradicts itself is dropped; both are counted.
package struct RTCPCompound: Hashable, Sendable {
    package var packets: [RTCPPacket]
    /// Packets of types that are not understood, APP among them.
    package private(set) var skippedCount = 0
    /// Packets whose body contradicts its own counts.
    package private(set) var malformedCount = 0

    package init(_ packets: [RTCPPacket]) {
        self.packets = packets
    }

    package init(parsing datagram: RawSpan) throws(RTCPError) {
        packets = []
        guard !datagram.isEmpty else { throw .truncated(need: 4, have: 0) }
        var offset = 0
        while offset < datagram.byteCount {
            let frame = try RTCPFrame(datagram, at: &offset)
            take(RTCPPacket.parse(type: frame.type, count: frame.count, body: datagram.extracting(frame.body)))
        }
    }

    private mutating func take(_ parsed: RTCPPacket.Parsed) {
        switch parsed {
        case .packet(let packet): packets.append(packet)
        case .skipped: skippedCount += 1
        case .malformed: malformedCount += 1
        }
    }

    /// The datagram.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 256)
        for packet in packets {
            packet.write(into: &writer)
        }
        return writer.bytes
    }
}

/// One packet's header and the place of its body without padding (RFC 3550, section 6.4).
private struct RTCPFrame {
    var type: UInt8
    /// The five bits that say how many items, or which format of feedback.
    var count: UInt8
    var body: Range<Int>

    init(_ datagram: RawSpan, at offset: inout Int) throws(RTCPError) {
        let first: UInt8
        do {
            first = try datagram.readUInt8(at: &offset)
            type = try datagram.readUInt8(at: &offset)
            let words = Int(try datagram.readUInt16(at: &offset))
            body = try datagram.take(words * 4, at: &offset)
        } catch {
            throw RTCPError(error)
        }
        guard first >> 6 == 2 else { throw .version(first >> 6) }
        count = first & 31
        if first & 0x20 != 0 {
            try removePadding(datagram)
        }
    }

    private mutating func removePadding(_ datagram: RawSpan) throws(RTCPError) {
        guard !body.isEmpty else { throw .padding(count: 0, have: 0) }
        let padding = Int(datagram.unsafeLoad(fromByteOffset: body.upperBound - 1, as: UInt8.self))
        guard padding > 0, padding % 4 == 0, padding <= body.count else {
            throw .padding(count: padding, have: body.count)
        }
        body = body.lowerBound..<body.upperBound - padding
    }
}
