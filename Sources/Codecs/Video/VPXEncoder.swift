package import MediaEngine
import Primitives

/// libvpx's VP8 (RFC 6386) or VP9 for calls: constant bitrate, two temporal layers, key frames only when asked for.
///
/// Every other frame belongs to the layer above the base, depends on the base layer alone, and may be left out.
package final class VPXEncoder: VideoEncoder {
    /// Pictures that can be encoded, in pixels of one side.
    package static let sides = 16...4096
    /// A step in time beyond this is a pause, not a slow source: the rate control must not spend what it "saved".
    private static let longestInterval = Duration.milliseconds(200)
    private static let shortestInterval = Duration.milliseconds(10)

    package let codec: VideoCodec
    private var settings: VideoEncoderSettings
    private var context: VPXEncoderContext
    private var speed: EncoderSpeed
    private var lastTime: MonoTime?
    /// Frames since the last key frame.
    private var position = 0
    private var needsKeyFrame = true

    /// - Throws: `CodecError` when the settings are out of range, or memory lacks.
    package init(_ codec: VideoCodec, settings: VideoEncoderSettings) throws {
        self.codec = codec
        self.settings = try Self.checked(settings)
        speed = EncoderSpeed(codec: codec, size: settings.size)
        context = try VPXEncoderContext(codec, self.settings, speed: speed.value)
    }

    package func apply(_ settings: VideoEncoderSettings) throws {
        let settings = try Self.checked(settings)
        guard settings != self.settings else { return }
        if settings.size == self.settings.size {
            try context.apply(settings)
        } else {
            speed = EncoderSpeed(codec: codec, size: settings.size)
            context = try VPXEncoderContext(codec, settings, speed: speed.value)
            needsKeyFrame = true
        }
        self.settings = settings
    }

    package func encode(_ frame: VideoFrame, asKeyFrame: Bool) throws -> EncodedVideoFrame? {
        guard frame.size == settings.size, frame.bytes.count == VideoFrame.byteCount(of: frame.size) else {
            throw CodecError(
                function: "VPXEncoder",
                reason: "a picture of \(frame.size.width)×\(frame.size.height) and \(frame.bytes.count) bytes, set to "
                    + "\(settings.size.width)×\(settings.size.height); scale it first")
        }
        let begin = MonoTime.now()
        if asKeyFrame || needsKeyFrame { position = 0 }
        let layer = position % 2
        let output = try context.encode(
            frame, layer: layer, isKeyFrame: position == 0, duration: interval(to: frame.time))
        adaptSpeed(MonoTime.now() - begin)
        // A key frame is never dropped, and would still be wanted if it were.
        needsKeyFrame = position == 0 && output == nil
        position += 1
        guard let output else { return nil }
        return EncodedVideoFrame(
            bytes: output.bytes, isKeyFrame: output.isKeyFrame, temporalLayer: layer, isLayerSync: layer > 0,
            qp: context.quantizer, size: frame.size)
    }

    /// The effort in use, in the codec's own scale (`cpu-used`).
    package var effort: Int {
        speed.value
    }

    private var nominalInterval: Duration {
        .fractional(seconds: 1 / Double(settings.frameRate))
    }

    private func interval(to time: MonoTime) -> Duration {
        defer { lastTime = time }
        guard let lastTime else { return nominalInterval }
        return (time - lastTime).clamped(to: Self.shortestInterval...Self.longestInterval)
    }

    private func adaptSpeed(_ time: Duration) {
        if speed.record(time, frameInterval: nominalInterval) { context.setSpeed(speed.value) }
    }

    private static func checked(_ settings: VideoEncoderSettings) throws -> VideoEncoderSettings {
        guard sides.contains(settings.size.width), sides.contains(settings.size.height) else {
            throw CodecError(
                function: "VPXEncoder",
                reason: "pictures of \(settings.size.width)×\(settings.size.height); use 16 to 4096 pixels a side")
        }
        var settings = settings
        settings.frameRate = settings.frameRate.clamped(to: 1...60)
        settings.bitrate = settings.bitrate.clamped(to: 20_000...20_000_000)
        return settings
    }
}
