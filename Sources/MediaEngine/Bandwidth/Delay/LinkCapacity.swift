import Primitives

/// What the bottleneck carries, learnt from what arrived each time it was overused. In kbit/s.
struct LinkCapacity: Sendable {
    private static let weight = 0.05
    private static let deviations = 0.4...2.5

    private(set) var estimate: Double?
    private var deviation = deviations.lowerBound

    /// What arrives while the link carries what it used to.
    var range: ClosedRange<Double>? {
        estimate.map {
            let spread = 3 * (deviation * $0).squareRoot()
            return max(0, $0 - spread)...$0 + spread
        }
    }

    /// Takes what arrived while the link was overused.
    mutating func receive(overused sample: Double) {
        guard let before = estimate else {
            estimate = sample
            return
        }
        let error = before - sample
        estimate = before - Self.weight * error
        deviation = ((1 - Self.weight) * deviation + Self.weight * error * error / max(before, 1))
            .clamped(to: Self.deviations)
    }

    mutating func reset() {
        estimate = nil
    }
}
