import Primitives

/// Notices calls of the device that come late.
struct TickWatch: Sendable, BitwiseCopyable {
    /// A call may come this long after the one before it: a frame's time and some scheduling.
    private static let patience = Duration.milliseconds(25)
    /// What the device's estimate of its own latency may be wrong by.
    private static let margin = Duration.milliseconds(5)

    private(set) var last: MonoTime?
    private var driesUp: MonoTime?

    /// Takes a call. `latency` is that of played sound, or nil for captured sound.
    mutating func receive(latency: Duration?, at now: MonoTime, into counters: inout PipelineCounters) {
        if let last, now - last > Self.patience { counters.lateTicks &+= 1 }
        if let driesUp, now > driesUp { counters.underruns &+= 1 }
        last = now
        // A device without latency plays into nothing, and cannot run dry.
        guard let latency, latency > .zero else {
            driesUp = nil
            return
        }
        driesUp = now + latency + AudioFormat.frameDuration + Self.margin
    }
}
