package import Primitives
import RTP

/// Puts the last payloads of an audio stream to one peer into its next packets again (RFC 2198).
package struct PayloadRepeater: Sendable {
    /// What a payload with its copies may have in bytes, so that the packet stays below what every path carries.
    package static let maximumByteCount = 1100

    private var kept: [(position: Int64, bytes: [UInt8])] = []

    package init() {}

    /// The payload that carries `payload`, which is of `type` and `position` ticks into the sound, and before it as many
    /// as `copies` of the last ones; `nil`: it goes out as it is. To be called for each packet of the stream.
    package mutating func pack(
        _ payload: UnsafeRawBufferPointer, type: PayloadType, position: Int64, copies: Int
    ) -> [UInt8]? {
        guard copies > 0 else {
            kept.removeAll()
            return nil
        }
        defer {
            kept.append((position, Array(payload)))
            kept.removeFirst(max(0, kept.count - RedundancyPolicy.mostCopies))
        }
        // Copies stand for the packets before this one without a gap, from which their numbers are told.
        var byteCount = payload.count
        let repeated = kept.suffix(copies).reversed().prefix { copy in
            byteCount += RedundantPayload.headerByteCount + copy.bytes.count
            return byteCount <= Self.maximumByteCount && copy.bytes.count <= RedundantPayload.maximumBlockByteCount
                && 1...Int64(RedundantPayload.maximumTimestampOffset) ~= position - copy.position
        }
        guard !repeated.isEmpty else { return nil }
        return RedundantPayload.bytes(
            redundant: repeated.reversed().map { (type, UInt32(position - $0.position), $0.bytes) }, primaryType: type,
            primary: payload)
    }
}
