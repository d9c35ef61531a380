import Glibc

/// An instant on the monotonic clock, in nanoseconds: the time in which every decision is made.
///
/// Machines receive it from their driver and never read a clock themselves.
package struct MonoTime: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Nanoseconds since an arbitrary origin (boot, on Linux).
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The origin: where virtual clocks start.
    package static let zero = MonoTime(nanoseconds: 0)

    /// Reads `CLOCK_MONOTONIC`. For drivers only.
    package static func now() -> MonoTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonoTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package static func < (left: MonoTime, right: MonoTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (left: MonoTime, right: Duration) -> MonoTime {
        MonoTime(nanoseconds: left.nanoseconds &+ right.nanoseconds)
    }

    package static func - (left: MonoTime, right: Duration) -> MonoTime {
        MonoTime(nanoseconds: left.nanoseconds &- right.nanoseconds)
    }

    package static func - (left: MonoTime, right: MonoTime) -> Duration {
        .nanoseconds(left.nanoseconds &- right.nanoseconds)
    }

    package static func += (left: inout MonoTime, right: Duration) {
        left = left + right
    }
}

extension Duration {
    /// `1:05`, for people.
    package var minutesAndSeconds: String {
        let seconds = Int(seconds)
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }

    /// The whole duration in nanoseconds, truncated toward zero; saturates beyond ±292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : scaled &+ attoseconds / 1_000_000_000
    }

    /// The duration in seconds.
    package var seconds: Double {
        Double(nanoseconds) / 1e9
    }

    /// The duration in milliseconds.
    package var milliseconds: Double {
        Double(nanoseconds) / 1e6
    }

    /// A duration from fractional seconds, to the nanosecond.
    package static func fractional(seconds: Double) -> Duration {
        .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}

/// The earlier of two optional deadlines; `nil` means that nothing is scheduled.
package func earlier(_ left: MonoTime?, _ right: MonoTime?) -> MonoTime? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
}
