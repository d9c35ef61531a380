/// What one received stream went through since its start, with the names of W3C `webrtc-stats`. Samples are at 48 kHz.
package struct AudioReceiverStatistics: Hashable, Sendable, BitwiseCopyable {
    /// Packets taken into the buffer, late and duplicate ones included.
    package var packetsReceived: UInt64 = 0
    /// Packets that never came in time and were given up.
    package var packetsLost: UInt64 = 0
    /// Packets that came after their time, or twice, or beyond the buffer's bound.
    package var packetsDiscarded: UInt64 = 0
    /// Lost packets that a redundant copy restored.
    package var packetsRepaired: UInt64 = 0
    package var totalSamplesReceived: UInt64 = 0
    /// Samples made up for missing ones.
    package var concealedSamples: UInt64 = 0
    /// Concealed samples that were silent or comfort noise.
    package var silentConcealedSamples: UInt64 = 0
    /// Runs of consecutive concealed samples.
    package var concealmentEvents: UInt64 = 0
    package var insertedSamplesForDeceleration: UInt64 = 0
    package var removedSamplesForAcceleration: UInt64 = 0
    /// Samples that came out of the buffer.
    package var jitterBufferEmittedCount: UInt64 = 0
    /// The sum, over the emitted samples, of each one's time in the buffer, in seconds.
    package var jitterBufferDelaySeconds: Double = 0
    /// The same sum of the target delay.
    package var jitterBufferTargetDelaySeconds: Double = 0
    /// Delay of the buffer now and the one it aims at, in milliseconds.
    package var currentDelayMilliseconds: Float = 0
    package var targetDelayMilliseconds: Float = 0
    /// Interarrival jitter (RFC 3550, section 6.4.1), in milliseconds.
    package var jitterMilliseconds: Float = 0

    package init() {}
}
