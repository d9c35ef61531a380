import MediaEngine
import Primitives

/// The latency that is asked of the sound server; what it grants is in `GrantedLatency`.
///
/// The server never keeps less than two requests of its own: asking by half frames saves 10 ms, click to click. Each second
/// request is answered, with a whole frame, and the 5 ms that it waits are added to what is kept.
package struct WantedLatency: Hashable, Sendable {
    /// From our buffer to the device's output.
    package var playback = Duration.milliseconds(25)
    /// The size of the pieces in which sound is asked for.
    package var playbackRequest = Duration.milliseconds(5)
    /// The size of the pieces in which captured sound arrives.
    package var capture = Duration.milliseconds(10)

    package init() {}
}

extension Duration {
    /// The size of so long a piece of the audio path's sound.
    var byteCount: UInt32 {
        UInt32(max(nanoseconds, 0) * Int64(AudioFormat.rateHz) / 1_000_000_000) * UInt32(MemoryLayout<Float>.size)
    }
}
