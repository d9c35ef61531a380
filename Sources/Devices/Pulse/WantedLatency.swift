import MediaEngine
import Primitives

/// The latency that is asked of the sound server; what it grants is in `GrantedLatency`.
///
/// The server keeps of its own, beyond two requests, half of what is left: here 5 ms, in whose steps it plays. So it asks
/// once for every two of them, a frame each time, when it has 15 ms of ours left.
package struct WantedLatency: Hashable, Sendable {
    /// From our buffer to the device's output.
    package var playback = Duration.milliseconds(25)
    /// The size of the pieces in which sound is asked for.
    package var playbackRequest = Duration.microseconds(7500)
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
