package import Primitives

/// Freezes and pauses of one received video, as webrtc-stats defines them, from the times at which its pictures are
/// shown.
///
/// A picture ends a freeze when it comes after 3 times the mean interval or the mean and 150 ms, whichever is more, the
/// mean being that of the last 30 intervals, this one included; and a pause when it comes after 5 s.
package struct FreezeMetrics: Hashable, Sendable {
    private static let windowCount = 30
    private static let leastCount = 5
    private static let leastIncrease: Int64 = 150
    private static let pause = Duration.seconds(5)

    package private(set) var framesShown: UInt64 = 0
    /// Decoded too late to be shown: a newer one was there.
    package private(set) var framesDropped: UInt64 = 0
    package private(set) var freezeCount: UInt64 = 0
    package private(set) var totalFreezesDuration = Duration.zero
    package private(set) var pauseCount: UInt64 = 0
    package private(set) var totalPausesDuration = Duration.zero
    /// In seconds; and of the squares, in seconds squared.
    package private(set) var totalInterFrameDelay = 0.0
    package private(set) var totalSquaredInterFrameDelay = 0.0

    private var lastShown: MonoTime?
    /// In milliseconds.
    private var intervals: [Int64] = []

    package init() {}

    /// A picture is shown.
    package mutating func shown(at now: MonoTime) {
        framesShown += 1
        defer { lastShown = now }
        guard let lastShown else { return }
        let interval = max(.zero, now - lastShown)
        totalInterFrameDelay += interval.seconds
        totalSquaredInterFrameDelay += interval.seconds * interval.seconds
        guard interval <= Self.pause else {
            pauseCount += 1
            totalPausesDuration += interval
            return
        }
        judge(interval)
    }

    /// A decoded picture is not shown.
    package mutating func dropped(_ count: Int = 1) {
        framesDropped += UInt64(max(0, count))
    }

    /// The sender stops on purpose (its camera is off, the call is held): the time until the next picture counts for
    /// nothing.
    package mutating func stopped() {
        lastShown = nil
    }

    private mutating func judge(_ interval: Duration) {
        let milliseconds = interval.nanoseconds / 1_000_000
        intervals.append(milliseconds)
        if intervals.count > Self.windowCount { intervals.removeFirst() }
        guard intervals.count >= Self.leastCount else { return }
        let mean = intervals.reduce(0, +) / Int64(intervals.count)
        guard milliseconds >= max(3 * mean, mean + Self.leastIncrease) else { return }
        freezeCount += 1
        totalFreezesDuration += interval
    }
}
