import Primitives
import RTP

/// The payload of one packet of 20 ms, with or without copies of earlier ones (RFC 2198); empty: nothing was sent.
struct SoundPacket {
    static let opus = PayloadType(111)

    let bytes: [UInt8]
    let isRedundant: Bool

    var byteCount: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }

    /// Its own payload, and those of earlier packets by how many samples they are earlier, the newest first.
    var payloads: (own: [UInt8], copies: [(offset: Int, bytes: [UInt8])]) {
        guard isRedundant, let parsed = RedundantPayload(parsing: bytes.span.bytes) else { return (bytes, []) }
        return (
            Array(bytes[parsed.primary]),
            parsed.redundant.reversed().map { (Int($0.timestampOffset), Array(bytes[$0.range])) }
        )
    }
}
