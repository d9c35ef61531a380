import COpus
package import MediaEngine
import Primitives

/// libopus at 48 kHz mono (RFC 6716), one instance for each stream that is sent.
///
/// Created and released on the engine thread, used on the audio thread.
package final class OpusEncoder: AudioEncoder {
    /// What stays as it is while an encoder lives.
    package struct Options: Hashable, Sendable {
        /// Time in one packet: 10, 20, 40 or 60 ms.
        package var frameDuration = Duration.milliseconds(20)
        /// Effort, 0…10.
        package var complexity = 9

        package init() {}
    }

    package let frameSampleCount: Int
    private let encoder: OpaquePointer
    private let complexity: Int32
    private var usesDTX = false
    private var isDTXOn = false
    private var isResting = false
    /// Samples of digital silence that were not encoded since the last packet.
    private var skippedSampleCount = 0

    /// Sound softer than this may be left out.
    private static let silenceDBov: Float = -45
    /// So much of it (400 ms) makes a packet due, as the codec has it in a pause.
    private static let longestSkip = AudioFormat.rateHz * 2 / 5

    /// - Throws: `CodecError` when the frame duration is none of Opus's, or memory lacks.
    package init(_ options: Options = Options(), settings: AudioEncoderSettings = AudioEncoderSettings()) throws {
        let milliseconds = Int(options.frameDuration.milliseconds.rounded())
        guard [10, 20, 40, 60].contains(milliseconds) else {
            throw CodecError(function: "OpusEncoder", reason: "frames of \(milliseconds) ms; use 10, 20, 40 or 60")
        }
        frameSampleCount = AudioFormat.rateHz / 1000 * milliseconds
        var status: Int32 = 0
        guard
            let encoder = opus_encoder_create(Int32(AudioFormat.rateHz), 1, OPUS_APPLICATION_VOIP, &status),
            status == OPUS_OK
        else {
            throw CodecError(function: "opus_encoder_create", reason: String(cString: opus_strerror(status)))
        }
        self.encoder = encoder
        complexity = Int32(options.complexity.clamped(to: 0...10))
        set(OPUS_SET_COMPLEXITY_REQUEST, complexity)
        apply(settings)
    }

    deinit {
        opus_encoder_destroy(encoder)
    }

    package func encode(
        _ frame: UnsafeBufferPointer<Float>, mayPause: Bool, into payload: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard frame.count == frameSampleCount, let samples = frame.baseAddress,
            let bytes = payload.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return 0 }
        let level = AudioLevel(of: frame)
        rest(usesDTX && mayPause && level.dBov < Self.silenceDBov)
        let isSkippable = isResting && level == .silence
        guard !isSkippable || isPacketDue(after: frame.count) else { return 0 }
        setDTX(isResting && !isSkippable)
        let capacity = Int32(min(payload.count, AudioFormat.maximumPayloadByteCount))
        let count = opus_encode_float(encoder, samples, Int32(frame.count), bytes, capacity)
        // One or two bytes say "nothing here" (RFC 6716, section 2.1.9): such packets need not be sent.
        return count > 2 ? Int(count) : 0
    }

    package func apply(_ settings: AudioEncoderSettings) {
        set(OPUS_SET_BITRATE_REQUEST, Int32(settings.bitrateWithRedundancy.clamped(to: 6000...510_000)))
        let loss = Int32(settings.expectedLossPercent.clamped(to: 0...100))
        set(OPUS_SET_INBAND_FEC_REQUEST, loss > 0 ? 1 : 0)
        set(OPUS_SET_PACKET_LOSS_PERC_REQUEST, loss)
        set(OPUS_SET_MAX_BANDWIDTH_REQUEST, Self.bandwidth(playedAtHz: settings.playbackRateHz))
        set(OPUS_SET_VBR_REQUEST, settings.isConstantBitrate ? 0 : 1)
        usesDTX = settings.usesDTX
    }

    /// The widest band of which nothing is lost at that rate (RFC 6716, table 1).
    private static func bandwidth(playedAtHz rate: Int) -> Int32 {
        switch rate {
        case 40_000...: OPUS_BANDWIDTH_FULLBAND
        case 24_000...: OPUS_BANDWIDTH_SUPERWIDEBAND
        case 16_000...: OPUS_BANDWIDTH_WIDEBAND
        case 12_000...: OPUS_BANDWIDTH_MEDIUMBAND
        default: OPUS_BANDWIDTH_NARROWBAND
        }
    }

    /// Leaves frames out, where they are soft: the codec's detector takes any steady sound for noise, and would stop
    /// sending a loud tone or a held note. Takes no trouble over the noise that is sent now and then to tell how a pause
    /// sounds. From complexity 7 on the detector, which then listens for music too, takes steady noise for something to send.
    private func rest(_ rests: Bool) {
        guard rests != isResting else { return }
        isResting = rests
        skippedSampleCount = 0
        set(OPUS_SET_COMPLEXITY_REQUEST, rests ? 0 : complexity)
    }

    /// Whether a packet is due in digital silence. The codec, which hears nothing in it, need not even be asked for others.
    private func isPacketDue(after sampleCount: Int) -> Bool {
        skippedSampleCount += sampleCount
        guard skippedSampleCount >= Self.longestSkip else { return false }
        skippedSampleCount = 0
        return true
    }

    private func setDTX(_ isOn: Bool) {
        guard isOn != isDTXOn else { return }
        isDTXOn = isOn
        set(OPUS_SET_DTX_REQUEST, isOn ? 1 : 0)
    }

    /// Samples by which the decoded sound comes after the encoded (the codec's look-ahead).
    package var lookaheadSampleCount: Int {
        var value: opus_int32 = 0
        _ = copus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &value)
        return Int(value)
    }

    private func set(_ request: Int32, _ value: Int32) {
        // Only a value out of range is refused, and every value here is clamped.
        _ = copus_encoder_set(encoder, request, value)
    }
}
