/// Bounds a rate: takes as much at once as `burst`, and in the long run `rate` a second.
package struct TokenBucket: Sendable {
    package let rate: Double
    package let burst: Double
    private var level: Double
    private var last: MonoTime

    package init(rate: Double, burst: Double, at now: MonoTime) {
        self.rate = rate
        self.burst = burst
        level = burst
        last = now
    }

    /// Takes `amount`; `false` when there is not so much.
    package mutating func take(_ amount: Double, at now: MonoTime) -> Bool {
        level = min(burst, level + max(0, (now - last).seconds) * rate)
        last = now
        guard level >= amount else { return false }
        level -= amount
        return true
    }
}
