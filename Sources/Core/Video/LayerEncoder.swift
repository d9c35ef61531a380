import Codecs
import Devices
import Dispatch
import MediaEngine
import Primitives
import Reactor
import Synchronization

/// The encoder of one layer, on a queue of its own; what comes out is taken on the engine.
final class LayerEncoder: VideoSink {
    /// One coded picture on its way to the peers.
    struct Output: Sendable {
        var frame: EncodedVideoFrame
        var codec: VideoCodec
        var captured: MonoTime
    }

    /// What has been encoded so far.
    struct Counters: Hashable, Sendable {
        var framesCaptured = 0
        var framesEncoded = 0
        var keyFrames = 0
        var qpSum = 0
        var totalEncodeTime = Duration.zero
        var size: VideoSize?
        var failure: String?
    }

    /// What the engine and the capture tell the encoder, and the engine hears from it.
    private struct Shared {
        var bitrate: Int
        var height: Int
        var wantsKeyFrame = true
        /// The picture to encode next: a newer one takes its place.
        var waiting: (frame: VideoFrame, content: VideoEncoderSettings.ContentHint)?
        var outputs: [Output] = []
        var counters = Counters()
    }

    let codec: VideoCodec
    private let frameRate: Int
    private let shared: Mutex<Shared>
    private let ring: @Sendable () -> Void
    private let queue = DispatchQueue(label: "hoot.encode")
    // unchecked: touched on the queue only.
    nonisolated(unsafe) private var encoder: (any VideoEncoder)?
    nonisolated(unsafe) private var settings: VideoEncoderSettings?

    /// - Parameter ring: called on the queue when something can be taken.
    init(codec: VideoCodec, frameRate: Int, bitrate: Int, height: Int, ring: @escaping @Sendable () -> Void) {
        self.codec = codec
        self.frameRate = frameRate
        shared = Mutex(Shared(bitrate: bitrate, height: height))
        self.ring = ring
    }

    /// Says what the layer may cost, in bits a second, and how high its pictures are at the most.
    func set(bitrate: Int, height: Int) {
        shared.withLock { ($0.bitrate, $0.height) = (bitrate, height) }
    }

    /// Makes the next picture a key frame.
    func requestKeyFrame() {
        shared.withLock { $0.wantsKeyFrame = true }
    }

    /// Takes what has been encoded since the last call.
    func takeOutputs() -> [Output] {
        shared.withLock { shared in
            defer { shared.outputs = [] }
            return shared.outputs
        }
    }

    var counters: Counters {
        shared.withLock(\.counters)
    }

    func take(_ frame: VideoFrame, content: VideoEncoderSettings.ContentHint) {
        let isIdle = shared.withLock { shared in
            defer { shared.waiting = (frame, content) }
            shared.counters.framesCaptured += 1
            return shared.waiting == nil
        }
        if isIdle { queue.async { [self] in encodeWaiting() } }
    }

    private func encodeWaiting() {
        let next = shared.withLock { shared in
            defer { (shared.waiting, shared.wantsKeyFrame) = (nil, false) }
            return shared.waiting.map { ($0.frame, $0.content, shared.bitrate, shared.height, shared.wantsKeyFrame) }
        }
        guard let (frame, content, bitrate, height, wantsKeyFrame) = next else { return }
        let began = MonoTime.now()
        do {
            let picture = frame.fitted(below: height)
            let coded = try encoder(for: picture.size, bitrate: bitrate, content: content)
                .encode(picture, asKeyFrame: wantsKeyFrame)
            finish(coded, of: frame, took: .now() - began, wantedKeyFrame: wantsKeyFrame)
        } catch {
            shared.withLock { shared in
                shared.wantsKeyFrame = true
                shared.counters.failure = "\(error)"
            }
            encoder = nil
            ring()
        }
    }

    private func encoder(
        for size: VideoSize, bitrate: Int, content: VideoEncoderSettings.ContentHint
    ) throws -> any VideoEncoder {
        var wanted = VideoEncoderSettings(size: size, frameRate: frameRate, bitrate: bitrate)
        wanted.content = content
        defer { settings = wanted }
        guard let encoder else {
            let new = try VPXEncoder(codec, settings: wanted)
            encoder = new
            return new
        }
        if wanted != settings { try encoder.apply(wanted) }
        return encoder
    }

    private func finish(_ coded: EncodedVideoFrame?, of frame: VideoFrame, took: Duration, wantedKeyFrame: Bool) {
        shared.withLock { shared in
            guard let coded else {
                // The encoder dropped it to keep its rate: the demand stands.
                shared.wantsKeyFrame = shared.wantsKeyFrame || wantedKeyFrame
                return
            }
            shared.counters.framesEncoded += 1
            shared.counters.keyFrames += coded.isKeyFrame ? 1 : 0
            shared.counters.qpSum += coded.qp
            shared.counters.totalEncodeTime += took
            shared.counters.size = coded.size
            shared.outputs.append(Output(frame: coded, codec: codec, captured: frame.time))
        }
        ring()
    }
}

extension VideoFrame {
    /// The picture, no higher than `height`, its shape kept.
    fileprivate func fitted(below height: Int) -> VideoFrame {
        let wanted = ResolutionLadder.fit(size, below: height)
        return wanted == size ? self : scaled(to: wanted)
    }
}
