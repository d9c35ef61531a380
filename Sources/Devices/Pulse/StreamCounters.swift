import Synchronization

/// What one direction of a device counts, over all its streams. Written by the audio thread, read by any.
package final class StreamCounters: Sendable {
    let frames = Atomic<Int>(0)
    let underflows = Atomic<Int>(0)
    let overflows = Atomic<Int>(0)
    let missingSamples = Atomic<Int>(0)
    let latencyMicroseconds = Atomic<Int>(-1)

    /// Frames of 10 ms passed to or from the client.
    package var frameCount: Int { frames.load(ordering: .relaxed) }
    /// Times that the server ran out of our sound.
    package var underflowCount: Int { underflows.load(ordering: .relaxed) }
    /// Times that a buffer was full and sound was lost.
    package var overflowCount: Int { overflows.load(ordering: .relaxed) }
    /// Captured samples that the server left out (they became silence) or that were dropped after a stall.
    package var missingSampleCount: Int { missingSamples.load(ordering: .relaxed) }

    /// The latency last measured, from our buffer to the device or back; `nil`: not known yet.
    package var latency: Duration? {
        let value = latencyMicroseconds.load(ordering: .relaxed)
        return value < 0 ? nil : .microseconds(value)
    }
}
