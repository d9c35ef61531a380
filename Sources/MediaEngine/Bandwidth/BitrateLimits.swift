import Primitives

/// Between which bitrates a transport sends, in bits a second.
package struct BitrateLimits: Hashable, Sendable, BitwiseCopyable {
    package var minimum: Double
    /// What is sent until the path is known.
    package var start: Double
    package var maximum: Double

    package init(minimum: Double = 30_000, start: Double = 300_000, maximum: Double = 2_500_000) {
        self.minimum = max(minimum, 1000)
        self.maximum = max(maximum, self.minimum)
        self.start = start.clamped(to: self.minimum...self.maximum)
    }
}
