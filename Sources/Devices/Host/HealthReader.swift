import Primitives

/// Reads the counters of the audio threads and tells what grew, at the rate of `HealthLimiter`.
struct HealthReader {
    private var limiter = HealthLimiter()
    private var seen: [AudioHealth: Int] = [:]
    private var wasStalled = false
    private var stallCount = 0

    mutating func read(
        playback: StreamCounters, capture: StreamCounters, lateTickCount: Int, isStalled: Bool, at now: MonoTime
    ) -> [AudioDeviceEvent] {
        if isStalled, !wasStalled { stallCount += 1 }
        wasStalled = isStalled
        let counts: [(AudioHealth, Int)] = [
            (.underflow, playback.underflowCount), (.overflow, playback.overflowCount + capture.overflowCount),
            (.lateTick, lateTickCount), (.stall, stallCount),
        ]
        return counts.compactMap { kind, count in
            let grown = count - seen[kind, default: 0]
            seen[kind] = count
            return limiter.take(kind, count: grown, at: now).map { .health(kind, count: $0) }
        }
    }
}
