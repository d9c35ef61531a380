import Codecs
import MediaEngine
import Primitives
import Reactor
import SDP

/// One pipeline with its codecs, on the engine's side: encoded packets come out of it, received ones go in.
@EngineActor
final class AudioPath {
    /// What the sending side is made of.
    struct SendSettings: Hashable {
        var frameDuration = Duration.milliseconds(20)
        var complexity = 5
        var encoder = AudioEncoderSettings()
    }

    let pipeline: AudioPipeline
    private let bell: Doorbell?
    private var positions = Unwrapper<UInt32>()
    private(set) var sending: SendSettings
    private var codec: NegotiatedCodec?
    /// The streams that play, each with its last report.
    private var streams: [Int32: StreamReport?] = [:]
    /// Called with each encoded packet; `position` counts samples at 48 kHz from a fixed origin.
    var onPacket: ((_ sent: SentAudio, _ position: Int64, _ payload: UnsafeRawBufferPointer) -> Void)?
    /// Called with each report of the audio thread, ten times a second.
    var onReport: ((AudioReport) -> Void)?

    init(isMuted: Bool, sending: SendSettings) {
        self.sending = sending
        let target = DrainTarget()
        let bell = Doorbell { target.path?.drain() }
        self.bell = bell
        pipeline = AudioPipeline(isMuted: isMuted, doorbell: Self.ringer(of: bell))
        target.path = self
        use(.opus)
    }

    /// Made outside of the engine's isolation: it is called on the audio thread.
    private nonisolated static func ringer(of bell: Doorbell?) -> @Sendable () -> Void {
        { bell?.ring() }
    }

    /// Sends by `codec` from the next packet on.
    func use(_ codec: NegotiatedCodec) {
        guard codec != self.codec else { return }
        self.codec = codec
        rebuildEncoder()
    }

    /// Changes how sound is sent.
    func apply(_ settings: SendSettings) {
        guard settings != sending else { return }
        let needsNew = settings.frameDuration != sending.frameDuration || settings.complexity != sending.complexity
        sending = settings
        if needsNew { rebuildEncoder() } else { pipeline.apply(settings.encoder) }
    }

    /// Tells the encoder how much is lost on the way.
    func setExpectedLoss(percent: Int) {
        var changed = sending
        changed.encoder.expectedLossPercent = percent
        apply(changed)
    }

    /// Begins to play a stream of the agreed `formats`; `nil` when there is no room for more.
    func addStream(_ formats: [AudioParameters.Format], gain: PlaybackGain, isSilenced: Bool) -> Int32? {
        let decoders = formats.compactMap { format in
            (try? Self.makeDecoder(format.codec)).map {
                AudioDecoderEntry(
                    payloadType: format.payloadType.rawValue, decoder: $0,
                    rtpClockRateHz: Int(format.codec.clockRateHz))
            }
        }
        let stream = pipeline.addStream(AudioReceiver(decoders: decoders), gain: gain, isSilenced: isSilenced)
        if let stream { streams[stream] = .some(nil) }
        return stream
    }

    func removeStream(_ stream: Int32) {
        pipeline.removeStream(stream)
        streams[stream] = nil
    }

    /// The last report on a stream; `nil` before the first.
    func report(on stream: Int32) -> StreamReport? {
        streams[stream] ?? nil
    }

    private func drain() {
        pipeline.drain(
            packet: { sent, payload in onPacket?(sent, positions.unwrap(sent.timestamp), payload) },
            report: { report, reports in
                for stream in reports where streams.keys.contains(stream.stream) { streams[stream.stream] = stream }
                onReport?(report)
            })
    }

    private func rebuildEncoder() {
        do {
            pipeline.setEncoder(try makeEncoder())
        } catch {
            Log.error("audio", "the encoder cannot be made, nothing is sent: \(error)")
            pipeline.setEncoder(nil)
        }
    }

    private func makeEncoder() throws -> any AudioEncoder {
        switch codec ?? .opus {
        case .opus:
            var options = OpusEncoder.Options()
            options.frameDuration = sending.frameDuration
            options.complexity = sending.complexity
            return try OpusEncoder(options, settings: sending.encoder)
        case .pcmu: return try G711Encoder(.mu)
        case .pcma: return try G711Encoder(.a)
        }
    }

    private nonisolated static func makeDecoder(_ codec: NegotiatedCodec) throws -> any AudioDecoder {
        switch codec {
        case .opus: try OpusDecoder()
        case .pcmu: try G711Decoder(.mu)
        case .pcma: try G711Decoder(.a)
        }
    }
}

/// The way from the doorbell, which is made first, to the path.
@EngineActor
private final class DrainTarget {
    weak var path: AudioPath?
}
