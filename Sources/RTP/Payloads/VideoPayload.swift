import Primitives

/// What one payload says of the frame that it is a part of, in the same words for all codecs. A frame ends with the
/// packet whose header is marked (RFC 7741, section 4.1; RFC 9628, section 4.1).
package struct VideoPayload: Hashable, Sendable {
    /// Where the coded bytes begin.
    package var headerByteCount: Int
    /// Whether it begins a frame; with several spatial layers, the first of its picture.
    package var beginsFrame: Bool
    /// Whether the frame depends on no other. Known where it begins.
    package var isKeyFrame: Bool
    package var pictureID: PictureID?
    /// 0…7; `nil`: the stream has no layers.
    package var temporalLayer: UInt8?
    /// Counts the base layer's frames; in frames of higher layers that of the last one before.
    package var baseIndex: UInt8?
    /// The frame depends on the base layer alone.
    package var isLayerSync: Bool
    /// The frame may be left out without harm to others.
    package var isDiscardable: Bool
    /// How many pictures before this one those are that it depends on; `nil`: it does not say.
    package var references: [UInt8]?

    /// Reads a VP8 payload; `nil`: it is truncated, or empty behind its descriptor.
    package init?(vp8 payload: RawSpan) {
        var offset = 0
        guard let descriptor = VP8Descriptor(payload, at: &offset), offset < payload.byteCount else { return nil }
        headerByteCount = offset
        beginsFrame = descriptor.startsPartition && descriptor.partition == 0
        // The frame tag's lowest bit is 0 in key frames (RFC 6386, section 9.1).
        isKeyFrame = beginsFrame && ((try? payload.readUInt8(at: &offset)) ?? 1) & 1 == 0
        pictureID = descriptor.pictureID
        temporalLayer = descriptor.temporalLayer
        baseIndex = descriptor.temporalLayer == nil ? nil : descriptor.baseIndex
        isLayerSync = descriptor.isLayerSync
        isDiscardable = descriptor.isNonReference
    }

    /// Reads a VP9 payload; `nil`: it is truncated, or empty behind its descriptor.
    package init?(vp9 payload: RawSpan) {
        var offset = 0
        guard let descriptor = VP9Descriptor(payload, at: &offset), offset < payload.byteCount else { return nil }
        headerByteCount = offset
        let isLowestLayer = (descriptor.layer?.spatial ?? 0) == 0
        beginsFrame = descriptor.beginsFrame && isLowestLayer
        isKeyFrame = beginsFrame && !descriptor.isInterPredicted
        pictureID = descriptor.pictureID
        temporalLayer = descriptor.layer?.temporal
        baseIndex = descriptor.layer?.baseIndex
        isLayerSync = descriptor.layer?.isSwitchingPoint ?? false
        isDiscardable = false
        references = descriptor.isFlexible ? descriptor.references : nil
    }

    /// Cuts `byteCount` bytes into the fewest parts of at most `limit`, all of about the same length, so that no packet
    /// is much likelier to be lost than another.
    package static func parts(of byteCount: Int, limit: Int) -> [Range<Int>] {
        guard byteCount > 0, limit > 0 else { return [] }
        let count = (byteCount + limit - 1) / limit
        return (0..<count).map { index in
            index * byteCount / count..<(index + 1) * byteCount / count
        }
    }
}
