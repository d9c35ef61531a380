/// How pictures are coded.
package enum VideoCodec: String, Hashable, Sendable, CaseIterable {
    /// RFC 6386.
    case vp8
    case vp9
}

/// What a video encoder is told; may change from frame to frame.
package struct VideoEncoderSettings: Hashable, Sendable, BitwiseCopyable {
    /// What a picture shows, which decides how it is coded (W3C mst-content-hint).
    package enum ContentHint: Hashable, Sendable, BitwiseCopyable {
        /// A camera: smoothness counts.
        case motion
        /// A screen or terminal: sharpness counts.
        case text
    }

    /// Of the bitrate, what the base layer takes: every other frame, on which the others depend.
    package static let baseShare = 0.6

    package var size: VideoSize
    /// Frames a second, at most.
    package var frameRate: Int
    /// Bits a second.
    package var bitrate: Int
    package var content = ContentHint.motion

    package init(size: VideoSize, frameRate: Int, bitrate: Int) {
        self.size = size
        self.frameRate = frameRate
        self.bitrate = bitrate
    }
}

/// One coded picture, as the payload formats of RFC 7741 and RFC 9628 cut it into packets.
package struct EncodedVideoFrame: Sendable {
    package var bytes: [UInt8]
    package var isKeyFrame: Bool
    /// 0: the base layer, that everything else depends on.
    package var temporalLayer: Int
    /// Whether it depends on the base layer's last frame only, so that a receiver may begin a higher layer with it.
    package var isLayerSync: Bool
    /// The quantiser, in the codec's own scale (VP8: 0…127; VP9: 0…255), as `qpSum` of webrtc-stats adds it up.
    package var qp: Int
    package var size: VideoSize

    package init(bytes: [UInt8], isKeyFrame: Bool, temporalLayer: Int, isLayerSync: Bool, qp: Int, size: VideoSize) {
        self.bytes = bytes
        self.isKeyFrame = isKeyFrame
        self.temporalLayer = temporalLayer
        self.isLayerSync = isLayerSync
        self.qp = qp
        self.size = size
    }
}

/// Turns pictures into coded frames. Called on one thread at a time, never on the audio thread.
package protocol VideoEncoder: AnyObject {
    /// Encodes one picture of the settings' size. `nil`: the encoder dropped it to keep to its rate.
    func encode(_ frame: VideoFrame, asKeyFrame: Bool) throws -> EncodedVideoFrame?

    /// Applies settings from the next frame on; another size makes that frame a key frame.
    func apply(_ settings: VideoEncoderSettings) throws
}

/// Turns coded frames into pictures. Called on one thread at a time, never on the audio thread.
package protocol VideoDecoder: AnyObject {
    /// Decodes one whole frame. `nil`: it shows nothing. Throws when it is malformed or what it depends on is missing;
    /// a key frame is needed then.
    func decode(_ payload: UnsafeRawBufferPointer) throws -> DecodedPicture?
}

/// A picture as it comes out of a decoder, before it has a time.
package struct DecodedPicture: Sendable {
    package var size: VideoSize
    /// I420, as in `VideoFrame`.
    package var bytes: [UInt8]
    /// The quantiser, as in `EncodedVideoFrame`; `nil`: the decoder does not tell.
    package var qp: Int?

    package init(size: VideoSize, bytes: [UInt8], qp: Int?) {
        self.size = size
        self.bytes = bytes
        self.qp = qp
    }
}
