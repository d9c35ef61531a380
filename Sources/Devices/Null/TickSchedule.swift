package import Primitives

/// When a clock of fixed period ticks: absolute deadlines that never drift, and a count of what came too late.
///
/// A tick that comes late is made up for, since what it drives must keep its rate; after a suspension (`skipLimit` or
/// more behind) the missed ticks are left out, so that no burst follows.
package struct TickSchedule: Hashable, Sendable, BitwiseCopyable {
    /// When the next tick is due.
    package private(set) var next: MonoTime
    /// Ticks that came more than a period after they were due.
    package private(set) var lateCount = 0
    /// Ticks left out after suspensions.
    package private(set) var skippedCount = 0

    private let period: Duration
    private let skipLimit: Duration

    /// A schedule whose first tick is due one `period` after `start`.
    package init(period: Duration, skipLimit: Duration = .milliseconds(100), start: MonoTime) {
        self.period = period
        self.skipLimit = skipLimit
        next = start + period
    }

    /// Takes the tick that is due, which really came at `now`. Afterwards `next` is the one that follows.
    package mutating func take(at now: MonoTime) {
        let lateness = now - next
        if lateness > period { lateCount += 1 }
        next += period
        guard lateness >= skipLimit else { return }
        let missed = (now - next).nanoseconds / period.nanoseconds
        skippedCount += Int(missed)
        next += .nanoseconds(missed * period.nanoseconds)
    }
}
