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
        /// Of a second encoder of Opus, for those alone who are sent copies of earlier frames; `nil`: there is none.
        var repeated: AudioEncoderSettings?
    }

    /// One encoded packet beside its payload.
    struct EncodedAudio {
        var codec: NegotiatedCodec
        /// Whether it is for those alone who are sent copies of earlier ones.
        var isForCopies: Bool
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

    /// The number of the second encoder of Opus, after those of the codecs.
    private static let repeatedNumber = NegotiatedCodec.allCases.count

    /// Encodes by each of `codecs` from the next packet on, and by no other.
    func use(_ codecs: Set<NegotiatedCodec>) {
        let changed = codecs.symmetricDifference(self.codecs)
        self.codecs = codecs
        for codec in changed { rebuildEncoder(of: codec) }
        if changed.contains(.opus) { rebuildRepeated() }
    }

    /// Changes how sound is sent.
    func apply(_ settings: SendSettings) {
        guard settings != sending else { return }
        let former = sending
        sending = settings
        guard settings.frameDuration == former.frameDuration, settings.complexity == former.complexity else {
            for codec in codecs { rebuildEncoder(of: codec) }
            return rebuildRepeated()
        }
        if let number = Self.number(of: .opus) { pipeline.apply(settings.encoder, number: number) }
        if let repeated = settings.repeated, former.repeated != nil {
            pipeline.apply(repeated, number: Self.repeatedNumber)
        } else if settings.repeated != former.repeated {
            rebuildRepeated()
        }
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
                let isForCopies = sent.encoder == Self.repeatedNumber
                let codec = isForCopies ? .opus : NegotiatedCodec.allCases[Int(sent.encoder)]
                onPacket?(
                    EncodedAudio(
                        codec: codec, isForCopies: isForCopies, sent: sent,
                        position: positions.unwrap(sent.timestamp)), payload)
            },
            report: { report, reports in
                for stream in reports where streams.keys.contains(stream.stream) { streams[stream.stream] = stream }
                onReport?(report)
            })
    }

    /// The number of a codec's encoder: its place in the list of all.
    private static func number(of codec: NegotiatedCodec) -> Int? {
        NegotiatedCodec.allCases.firstIndex(of: codec)
    }

    /// Installs the encoder of a codec anew; none where it is not in use.
    private func rebuildEncoder(of codec: NegotiatedCodec) {
        guard let number = Self.number(of: codec) else { return }
        install(codec, number: number, settings: codecs.contains(codec) ? sending.encoder : nil)
    }

    private func rebuildRepeated() {
        install(.opus, number: Self.repeatedNumber, settings: codecs.contains(.opus) ? sending.repeated : nil)
    }

    private func install(_ codec: NegotiatedCodec, number: Int, settings: AudioEncoderSettings?) {
        do {
            pipeline.setEncoder(try settings.map { try makeEncoder(codec, $0) }, number: number)
        } catch {
            Log.error("audio", "nothing is sent by \(codec.rawValue), its encoder cannot be made: \(error)")
            pipeline.setEncoder(nil, number: number)
        }
    }

    private func makeEncoder(_ codec: NegotiatedCodec, _ settings: AudioEncoderSettings) throws -> any AudioEncoder {
        switch codec {
        case .opus:
            var options = OpusEncoder.Options()
            options.frameDuration = sending.frameDuration
            options.complexity = sending.complexity
            return try OpusEncoder(options, settings: settings)
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
