internal import Primitives

/// The waits between attempts to connect: from 0.5 s, doubled each time up to 8 s, each ±25 % at random so that
/// everyone who lost the same server does not come back in the same instant.
struct Backoff {
    static let range = 0.5...8.0

    private(set) var attempt = 0
    private var random: SplitMix64

    init(random: SplitMix64) {
        self.random = random
    }

    /// The wait before the next attempt.
    mutating func next() -> Duration {
        let base = min(Self.range.upperBound, Self.range.lowerBound * Double(1 << min(attempt, 8)))
        attempt += 1
        let jittered = base * (0.75 + 0.5 * random.unit())
        return .fractional(seconds: min(max(jittered, Self.range.lowerBound), Self.range.upperBound))
    }

    mutating func reset() {
        attempt = 0
    }
}
