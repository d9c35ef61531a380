package import Primitives

/// The transport-wide sequence number (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 2): counts all packets
/// of all streams that share one transport, in the order in which they leave.
package enum TransportSequenceExtension {
    /// The name under which the extension is negotiated.
    package static let uri = "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    /// The element's length.
    package static let byteCount = 2

    /// The element's value.
    package static func bytes(_ number: SequenceNumber) -> [UInt8] {
        [UInt8(number.rawValue >> 8), UInt8(number.rawValue & 0xFF)]
    }

    /// Numbers the packet in `datagram` as it leaves. `false`: it is no packet, or has no room made for the number under
    /// `id`; it is unchanged then.
    package static func write(
        _ number: SequenceNumber, id: UInt8, into datagram: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let span = UnsafeRawBufferPointer(datagram).bytes
        guard let packet = try? RTPPacket(parsing: span), let range = packet.extensions?.range(of: id, in: span),
            range.count >= byteCount
        else { return false }
        datagram.storeBytes(of: number.rawValue.bigEndian, toByteOffset: range.lowerBound, as: UInt16.self)
        return true
    }
}

extension RTPPacket {
    /// The transport-wide sequence number that `datagram` carries in the element negotiated as `id`.
    package func transportSequence(id: UInt8, in datagram: RawSpan) -> SequenceNumber? {
        guard var offset = extensions?.range(of: id, in: datagram)?.lowerBound else { return nil }
        return (try? datagram.readUInt16(at: &offset)).map { SequenceNumber($0) }
    }
}
