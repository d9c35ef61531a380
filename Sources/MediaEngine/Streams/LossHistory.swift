package import Primitives

/// The last minute of a stream's loss, second by second. Allocates only when it is made.
package struct LossHistory: Sendable {
    /// Seconds that are kept.
    package static let secondCount = 60
    /// The window of the figures that people compare with each other.
    package static let comparisonSeconds = 10
    private static let onsetSeconds = 3

    private var buckets = [LossBucket](repeating: LossBucket(), count: secondCount)
    /// The second that the newest bucket is of.
    private var newest: Int64

    package init(at now: MonoTime) {
        newest = Self.second(of: now)
    }

    /// Adds what happened since the last call to the second of `now`.
    package mutating func record(_ bucket: LossBucket, at now: MonoTime) {
        advance(to: now)
        buckets[place(of: newest)] += bucket
    }

    /// The sum of the last `seconds` seconds (1…60), the current one included.
    package func window(seconds: Int = comparisonSeconds, at now: MonoTime) -> LossBucket {
        var sum = LossBucket()
        let last = Self.second(of: now)
        let first = last - Int64(min(max(seconds, 1), Self.secondCount)) + 1
        for second in first...last where isKept(second) {
            sum += buckets[place(of: second)]
        }
        return sum
    }

    /// The last 60 seconds, the oldest first.
    package func seconds(at now: MonoTime) -> [LossBucket] {
        let last = Self.second(of: now)
        return (last - Int64(Self.secondCount) + 1...last).map { isKept($0) ? buckets[place(of: $0)] : LossBucket() }
    }

    /// The last second that is over.
    package func lastSecond(at now: MonoTime) -> LossBucket {
        let second = Self.second(of: now) - 1
        return isKept(second) ? buckets[place(of: second)] : LossBucket()
    }

    /// The loss to prepare for, in per cent: that of the comparison window, or at once a sudden one of the last seconds when
    /// it is worse by more than chance.
    package func presentLossPercent(at now: MonoTime) -> Double {
        let steady = window(at: now).lossRatio ?? 0
        let recent = window(seconds: Self.onsetSeconds, at: now)
        guard let ratio = recent.lossRatio else { return steady * 100 }
        let deviation = (ratio * (1 - ratio) / Double(recent.expected)).squareRoot()
        return max(steady, ratio - deviation) * 100
    }

    private mutating func advance(to now: MonoTime) {
        let second = Self.second(of: now)
        guard second > newest else { return }
        for passed in 1...min(second - newest, Int64(Self.secondCount)) {
            buckets[place(of: newest + passed)] = LossBucket()
        }
        newest = second
    }

    private func isKept(_ second: Int64) -> Bool {
        second <= newest && second > newest - Int64(Self.secondCount)
    }

    private func place(of second: Int64) -> Int {
        let rest = Int(second % Int64(Self.secondCount))
        return rest < 0 ? rest + Self.secondCount : rest
    }

    private static func second(of time: MonoTime) -> Int64 {
        time.nanoseconds / 1_000_000_000
    }
}
