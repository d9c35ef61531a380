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
    /// Samples left out since the last packet; `nil`: nothing is left out.
    private var restingSampleCount: Int?

    /// Sound softer than this may be left out.
    private static let silenceDBov: Float = -45
    /// Of what is left out so much (400 ms) makes a packet due, which tells how the pause sounds.
    private static let longestRest = AudioFormat.rateHz * 2 / 5

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
        guard isDue(frame, mayRest: usesDTX && mayPause && isSoft(frame)) else { return 0 }
        let capacity = Int32(min(payload.count, AudioFormat.maximumPayloadByteCount))
        let count = opus_encode_float(encoder, samples, Int32(frame.count), bytes, capacity)
        return max(0, Int(count))
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

    /// Whether the codec may leave the frame out. Its detector takes any steady sound for noise, and would stop sending a
    /// loud tone or a held note.
    private func isSoft(_ frame: UnsafeBufferPointer<Float>) -> Bool {
        AudioLevel(of: frame).dBov < Self.silenceDBov
    }

    /// Whether a frame is to be sent: in a pause one now and then, over which no trouble is taken. What is not sent is not
    /// encoded either, as the codec's own discontinuous transmission would.
    private func isDue(_ frame: UnsafeBufferPointer<Float>, mayRest: Bool) -> Bool {
        if mayRest == (restingSampleCount == nil) {
            set(OPUS_SET_COMPLEXITY_REQUEST, mayRest ? 0 : complexity)
            restingSampleCount = mayRest ? 0 : nil
        }
        guard let rested = restingSampleCount else { return true }
        let isDue = rested >= Self.longestRest
        restingSampleCount = isDue ? 0 : rested + frame.count
        return isDue
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
