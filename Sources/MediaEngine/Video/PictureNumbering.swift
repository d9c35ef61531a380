internal import Primitives
internal import RTP

/// The numbers that a stream's frames bear in their payload descriptors, and the payloads themselves.
struct PictureNumbering: Sendable {
    var codec: VideoCodec
    private var next: PictureID
    private var baseIndex: UInt8
    private var keyIndex: UInt8 = 0
    /// The picture of the base layer's last frame.
    private var lastBase: PictureID?

    init(codec: VideoCodec, first: PictureID, baseIndex: UInt8) {
        self.codec = codec
        next = first
        self.baseIndex = baseIndex
    }

    /// Cuts a frame into payloads of at most `limit` bytes, and numbers it.
    mutating func payloads(of frame: EncodedVideoFrame, limit: Int) -> [[UInt8]] {
        let picture = next
        next = next + 1
        if frame.temporalLayer == 0 { baseIndex &+= 1 }
        if frame.isKeyFrame { keyIndex = (keyIndex + 1) & 0x1F }
        defer { if frame.temporalLayer == 0 { lastBase = picture } }
        // The longest descriptor is the first one of a key frame.
        let first = descriptor(of: frame, picture: picture, isFirst: true, isLast: false)
        let parts = VideoPayload.parts(of: frame.bytes.count, limit: max(1, limit - first.count))
        return parts.enumerated().map { index, part in
            let isLast = index + 1 == parts.count
            let descriptor = descriptor(of: frame, picture: picture, isFirst: index == 0, isLast: isLast)
            return descriptor + frame.bytes[part]
        }
    }

    private func descriptor(
        of frame: EncodedVideoFrame, picture: PictureID, isFirst: Bool, isLast: Bool
    ) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        switch codec {
        case .vp8: vp8(frame, picture: picture, isFirst: isFirst).write(into: &writer)
        case .vp9: vp9(frame, picture: picture, isFirst: isFirst, isLast: isLast).write(into: &writer)
        }
        return writer.bytes
    }

    private func vp8(_ frame: EncodedVideoFrame, picture: PictureID, isFirst: Bool) -> VP8Descriptor {
        var descriptor = VP8Descriptor()
        descriptor.isNonReference = frame.temporalLayer > 0
        descriptor.startsPartition = isFirst
        descriptor.pictureID = picture
        descriptor.baseIndex = baseIndex
        descriptor.temporalLayer = UInt8(clamping: frame.temporalLayer)
        descriptor.isLayerSync = frame.isLayerSync
        descriptor.keyIndex = keyIndex
        return descriptor
    }

    /// In the flexible mode, since a frame that the encoder drops would break a structure told in advance.
    private func vp9(_ frame: EncodedVideoFrame, picture: PictureID, isFirst: Bool, isLast: Bool) -> VP9Descriptor {
        var layer = VP9Descriptor.Layer()
        layer.temporal = UInt8(clamping: frame.temporalLayer)
        layer.isSwitchingPoint = frame.isLayerSync
        var descriptor = VP9Descriptor()
        descriptor.pictureID = picture
        descriptor.isInterPredicted = !frame.isKeyFrame
        descriptor.layer = layer
        descriptor.isFlexible = true
        descriptor.beginsFrame = isFirst
        descriptor.endsFrame = isLast
        descriptor.isNotReferenceForSpatial = true
        if !frame.isKeyFrame {
            descriptor.references = [UInt8(clamping: lastBase.map { picture.distance(from: $0) } ?? 1)]
        } else if isFirst {
            descriptor.structure = VP9ScalabilityStructure(
                width: UInt16(clamping: frame.size.width), height: UInt16(clamping: frame.size.height))
        }
        return descriptor
    }
}
