internal import Primitives

/// Turns frames of sound into payloads. Called on the audio thread only; allocates nothing in `encode`.
package protocol AudioEncoder: AnyObject {
    /// Samples at 48 kHz that one payload carries; `encode` takes exactly so many.
    var frameSampleCount: Int { get }

    /// Encodes one frame. Returns the payload's length; 0: nothing needs to be sent (discontinuous transmission), which
    /// is only where it `mayPause`.
    func encode(
        _ frame: UnsafeBufferPointer<Float>, mayPause: Bool, into payload: UnsafeMutableRawBufferPointer
    ) -> Int

    /// Applies settings from the next frame on.
    func apply(_ settings: AudioEncoderSettings)
}

/// What may change about an encoder while it runs.
package struct AudioEncoderSettings: Hashable, Sendable, BitwiseCopyable {
    /// Of the sound, in bits a second.
    package var bitrate = 32_000
    /// The loss that in-band redundancy is tuned for, in per cent; 0: no redundancy.
    package var expectedLossPercent = 0
    /// Whether long silence is not sent.
    package var usesDTX = true
    /// The most that sound and redundancy may cost together, in bits a second.
    package var maximumBitrate = 510_000
    /// The rate at which it is played at the most: higher sound is not worth any bits.
    package var playbackRateHz = 48_000
    /// Whether every packet has the same length.
    package var isConstantBitrate = false

    package init() {}

    /// Bits a second for the sound and its redundancy. The redundancy is paid for on top, up to half as much again
    /// where 10 % is expected, so that the sound keeps its quality.
    package var bitrateWithRedundancy: Int {
        min(bitrate + bitrate * expectedLossPercent.clamped(to: 0...10) / 20, maximumBitrate)
    }
}
