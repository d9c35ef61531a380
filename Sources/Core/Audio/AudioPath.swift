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
        var complexity = 9
        var encoder = AudioEncoderSettings()
    }

    /// One encoded packet beside its payload.
    struct EncodedAudio {
        var codec: NegotiatedCodec
        var sent: SentAudio
        /// Its place on the stream's clock: samples at 48 kHz from a fixed origin.
        var position: Int64
    }

    let pipeline: AudioPipeline
    private let bell: Doorbell?
    private var positions = Unwrapper<UInt32>()
    private(set) var sending: SendSettings
    private var codecs: Set<NegotiatedCodec> = []
    /// The streams that play, each with its last report.
    private var streams: [Int32: StreamReport?] = [:]
    /// Called with each encoded packet.
    var onPacket: ((_ sent: EncodedAudio, _ payload: UnsafeRawBufferPointer) -> Void)?
    /// Called with each report of the audio thread, ten times a second.
    var onReport: ((AudioReport) -> Void)?

    init(isMuted: Bool, sending: SendSettings) {
        self.sending = sending
        let target = DrainTarget()
        let bell = Doorbell { target.path?.drain() }
        self.bell = bell
        pipeline = AudioPipeline(isMuted: isMuted, doorbell: Self.ringer(of: bell))
        target.path = self
        use([.opus])
    }

    /// Made outside of the engine's isolation: it is called on the audio thread.
    private nonisolated static func ringer(of bell: Doorbell?) -> @Sendable () -> Void {
        { bell?.ring() }
    }

    /// Encodes by each of `codecs` from the next packet on, and by no other.
    func use(_ codecs: Set<NegotiatedCodec>) {
        let changed = codecs.symmetricDifference(self.codecs)
        self.codecs = codecs
        for codec in changed { rebuildEncoder(of: codec) }
    }

    /// Changes how sound is sent.
    func apply(_ settings: SendSettings) {
        guard settings != sending else { return }
        let needsNew = settings.frameDuration != sending.frameDuration || settings.complexity != sending.complexity
        sending = settings
        guard needsNew else { return pipeline.apply(settings.encoder) }
        for codec in codecs { rebuildEncoder(of: codec) }
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
            packet: { sent, payload in
                let codec = NegotiatedCodec.allCases[Int(sent.encoder)]
                onPacket?(EncodedAudio(codec: codec, sent: sent, position: positions.unwrap(sent.timestamp)), payload)
            },
            report: { report, reports in
                for stream in reports where streams.keys.contains(stream.stream) { streams[stream.stream] = stream }
                onReport?(report)
            })
    }

    /// Installs the encoder of a codec anew under its number in the list of all; none where it is not in use.
    private func rebuildEncoder(of codec: NegotiatedCodec) {
        guard let number = NegotiatedCodec.allCases.firstIndex(of: codec) else { return }
        do {
            pipeline.setEncoder(codecs.contains(codec) ? try makeEncoder(codec) : nil, number: number)
        } catch {
            Log.error("audio", "nothing is sent by \(codec.rawValue), its encoder cannot be made: \(error)")
            pipeline.setEncoder(nil, number: number)
        }
    }

    private func makeEncoder(_ codec: NegotiatedCodec) throws -> any AudioEncoder {
        switch codec {
        case .opus:
            var options = OpusEncoder.Options()
            options.frameDuration = sending.frameDuration
            options.complexity = sending.complexity
            return try OpusEncoder(options, settings: sending.encoder)
        case .pcmu: return try G711Encoder(.mu, frameDuration: sending.frameDuration)
        case .pcma: return try G711Encoder(.a, frameDuration: sending.frameDuration)
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
