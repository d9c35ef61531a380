package import Primitives

/// A payload that carries earlier ones again (RFC 2198): the blocks oldest first, the newest, which is the packet's own,
/// last.
package struct RedundantPayload: Hashable, Sendable {
    /// One payload of an earlier packet.
    package struct Block: Hashable, Sendable {
        package var payloadType: PayloadType
        /// How far before the packet's own timestamp its own lies, in ticks, 0…16,383.
        package var timestampOffset: UInt16
        /// Where it lies in the payload that was parsed.
        package var range: Range<Int>
    }

    /// What each redundant block costs beside its own bytes.
    package static let headerByteCount = 4
    /// The most bytes that a redundant block can have.
    package static let maximumBlockByteCount = 1023
    /// The greatest offset that a redundant block can have.
    package static let maximumTimestampOffset = 16_383

    package private(set) var redundant: [Block] = []
    package private(set) var primaryType: PayloadType
    package private(set) var primary: Range<Int>

    /// `nil`: truncated, or the blocks are longer than the payload.
    package init?(parsing payload: RawSpan) {
        var offset = 0
        var headers: [(type: PayloadType, offset: UInt16, count: Int)] = []
        primaryType = PayloadType(0)
        primary = 0..<0
        while true {
            guard let first = try? payload.readUInt8(at: &offset) else { return nil }
            guard first & 0x80 != 0 else {
                primaryType = PayloadType(first)
                break
            }
            guard let rest = try? payload.readUInt24(at: &offset) else { return nil }
            headers.append((PayloadType(first & 0x7F), UInt16(rest >> 10), Int(rest & 0x3FF)))
        }
        for header in headers {
            guard let range = try? payload.take(header.count, at: &offset) else { return nil }
            redundant.append(Block(payloadType: header.type, timestampOffset: header.offset, range: range))
        }
        primary = offset..<payload.byteCount
    }

    /// Writes a payload. An earlier one that is too long or too old for the format is left out.
    package static func bytes(
        redundant: [(payloadType: PayloadType, timestampOffset: UInt32, bytes: [UInt8])], primaryType: PayloadType,
        primary: some Collection<UInt8>
    ) -> [UInt8] {
        let blocks = redundant.filter {
            $0.bytes.count <= maximumBlockByteCount && $0.timestampOffset <= UInt32(maximumTimestampOffset)
        }
        var writer = ByteWriter(capacity: blocks.reduce(1 + primary.count) { $0 + 4 + $1.bytes.count })
        for block in blocks {
            writer.write(0x80 | block.payloadType.rawValue & 0x7F)
            writer.write24(block.timestampOffset << 10 | UInt32(block.bytes.count))
        }
        writer.write(primaryType.rawValue & 0x7F)
        for block in blocks {
            writer.write(block.bytes)
        }
        writer.write(primary)
        return writer.bytes
    }
}
