package import Primitives

/// What a packet says of its departure, for who estimates the path: room is made for it when the packet is written, and
/// filled as the packet leaves.
package enum DepartureExtension: Hashable, Sendable, BitwiseCopyable {
    /// The transport-wide number (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 2), which counts all packets
    /// of all streams that share one transport, in the order in which they leave.
    case sequenceNumber(id: UInt8)
    /// The time (`abs-send-time`): seconds with 18 bits of fraction, modulo 64 s. Who estimates the path for us and tells
    /// the result by REMB needs it.
    case time(id: UInt8)

    /// The id that was negotiated.
    package var id: UInt8 {
        switch self {
        case .sequenceNumber(let id), .time(let id): id
        }
    }

    package var byteCount: Int {
        switch self {
        case .sequenceNumber: 2
        case .time: 3
        }
    }

    /// The room.
    package var element: HeaderExtensionElement {
        HeaderExtensionElement(id: id, value: [UInt8](repeating: 0, count: byteCount))
    }

    /// Fills the room in the packet in `datagram`, which leaves at `now`. `false`: it is no packet, or has no room; it is
    /// unchanged then.
    package func write(
        _ number: SequenceNumber, at now: MonoTime, into datagram: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let span = UnsafeRawBufferPointer(datagram).bytes
        let value = bytes(number, at: now)
        guard let packet = try? RTPPacket(parsing: span), let range = packet.extensions?.range(of: id, in: span),
            range.count >= byteCount
        else { return false }
        for (offset, byte) in value.enumerated() { datagram[range.lowerBound + offset] = byte }
        return true
    }

    private func bytes(_ number: SequenceNumber, at now: MonoTime) -> [UInt8] {
        switch self {
        case .sequenceNumber: return [UInt8(number.rawValue >> 8), UInt8(number.rawValue & 0xFF)]
        case .time:
            let (seconds, rest) = (now - MonoTime.zero).nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            let ticks = UInt32(truncatingIfNeeded: seconds << 18 | (rest << 18) / 1_000_000_000)
            return [UInt8(ticks >> 16 & 0xFF), UInt8(ticks >> 8 & 0xFF), UInt8(ticks & 0xFF)]
        }
    }
}

extension RTPPacket {
    /// The transport-wide sequence number that `datagram` carries in the element negotiated as `id`.
    package func transportSequence(id: UInt8, in datagram: RawSpan) -> SequenceNumber? {
        guard var offset = extensions?.range(of: id, in: datagram)?.lowerBound else { return nil }
        return (try? datagram.readUInt16(at: &offset)).map { SequenceNumber($0) }
    }
}
