import Glibc
package import Primitives

/// What the time of day is at one instant of the monotonic clock: invites expire by the time of day, which may be set.
package struct WallClock: Hashable, Sendable {
    private let instant: MonoTime
    private let unixSecondsThen: Double

    package init(unixSeconds: Double, at instant: MonoTime) {
        self.instant = instant
        unixSecondsThen = unixSeconds
    }

    /// Reads both clocks. For drivers only.
    package static func now() -> WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallClock(unixSeconds: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9, at: .now())
    }

    package func unixSeconds(at now: MonoTime) -> Double {
        unixSecondsThen + (now - instant).seconds
    }

    /// When it will be that time; the ends of the clock for times beyond them.
    func instant(ofUnixSeconds seconds: UInt64) -> MonoTime {
        let ahead = min(max(Double(seconds) - unixSecondsThen, -1e9), 1e9)
        return instant + .fractional(seconds: ahead)
    }
}
