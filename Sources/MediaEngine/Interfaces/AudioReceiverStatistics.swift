/// What one received stream went through since its start, with the names of W3C `webrtc-stats`. Samples are at 48 kHz.
package struct AudioReceiverStatistics: Hashable, Sendable, BitwiseCopyable {
    /// Packets taken into the buffer, late and duplicate ones included.
    package var packetsReceived: UInt64 = 0
    /// Packets that never came in time and were given up.
    package var packetsLost: UInt64 = 0
    /// Packets that came after their time, or beyond the buffer's bound, or were dropped to catch up.
    package var packetsDiscarded: UInt64 = 0
    /// Packets that came twice.
    package var packetsDuplicated: UInt64 = 0
    /// Packets that were malformed, of an unknown payload type or far from the stream.
    package var packetsInvalid: UInt64 = 0
    /// Lost packets that a redundant copy restored.
    package var packetsRepaired: UInt64 = 0
    /// Those of them that a copy of the whole payload restored (RFC 2198), rather than the codec's own redundancy.
    package var packetsRepairedByCopies: UInt64 = 0
    /// Packets that carried a redundant copy of the one before.
    package var fecPacketsReceived: UInt64 = 0
    /// Those of them whose copy was not needed.
    package var fecPacketsDiscarded: UInt64 = 0
    /// Samples played since the first packet, concealed ones included.
    package var totalSamplesReceived: UInt64 = 0
    /// Samples made up for missing ones. The silence of a sender that pauses is not among them, so what is made up while
    /// nothing arrives counts when the next packet tells why.
    package var concealedSamples: UInt64 = 0
    /// Concealed samples that were silent or comfort noise.
    package var silentConcealedSamples: UInt64 = 0
    /// Runs of consecutive concealed samples.
    package var concealmentEvents: UInt64 = 0
    /// Runs of 150 ms and more.
    package var interruptionCount: UInt64 = 0
    package var insertedSamplesForDeceleration: UInt64 = 0
    package var removedSamplesForAcceleration: UInt64 = 0
    /// Samples that came out of the buffer.
    package var jitterBufferEmittedCount: UInt64 = 0
    /// The sum, over the emitted samples, of the time from their packet's arrival until its first one is played, in
    /// seconds.
    package var jitterBufferDelaySeconds: Double = 0
    /// The same sum of the target delay.
    package var jitterBufferTargetDelaySeconds: Double = 0
    /// Delay of the buffer now and the one it aims at, in milliseconds: how long the fastest packets wait until their
    /// first sample is played.
    package var currentDelayMilliseconds: Float = 0
    package var targetDelayMilliseconds: Float = 0
    /// Interarrival jitter (RFC 3550, section 6.4.1), in milliseconds.
    package var jitterMilliseconds: Float = 0
    /// The share of the last second that was concealed, 0…1.
    package var expandRate: Float = 0
    /// How long nothing has been there to play, in milliseconds; 0 while there is.
    package var starvedMilliseconds: Float = 0
    /// Level of the last frame played in dBov, −127…0.
    package var levelDBov: Float = -127

    package init() {}
}
