import Primitives

/// How late the engine's timers fire: what a blocked or starved engine thread looks like from inside.
@EngineActor
package final class LoopLag {
    /// Ticks measured, and what they showed, since the last `take()`.
    package struct Measure: Hashable, Sendable {
        package var tickCount = 0
        /// Ticks later than the threshold, counting those that a long stall swallowed.
        package var lateCount = 0
        package var worst = Duration.zero

        package init() {}
    }

    private let interval: Duration
    private let threshold: Duration
    private var timer: EngineTimer?
    private var due = MonoTime.zero
    private var measure = Measure()
    /// Whether it ticks; at rest it wakes nobody.
    package var isRunning: Bool {
        didSet {
            guard isRunning != oldValue else { return }
            due = .now() + interval
            timer?.arm(at: isRunning ? due : nil)
        }
    }
    /// Late ticks since the beginning.
    package private(set) var totalLateCount = 0

    /// Ticks each `interval`, and calls a tick late when it comes more than `threshold` after its time.
    package init(
        interval: Duration = .milliseconds(50), threshold: Duration = .milliseconds(10), isRunning: Bool = true
    ) {
        self.isRunning = isRunning
        self.interval = interval
        self.threshold = threshold
        due = .now() + interval
        timer = EngineTimer { [weak self] in self?.tick(at: .now()) }
        if isRunning { timer?.arm(at: due) }
    }

    /// The measure since the last call, which starts a new one.
    package func take() -> Measure {
        defer { measure = Measure() }
        return measure
    }

    private func tick(at now: MonoTime) {
        let lateness = now - due
        measure.tickCount += 1
        measure.worst = max(measure.worst, lateness)
        if lateness > threshold {
            let swallowed = Int(lateness.nanoseconds / max(1, interval.nanoseconds))
            measure.lateCount += 1 + swallowed
            totalLateCount += 1 + swallowed
        }
        due = max(due + interval, now)
        timer?.arm(at: due)
    }
}
