package import Primitives

/// How much arrives: a Bayesian estimate from the arrivals that feedback tells of, in bits a second.
///
/// A sample far from the estimate is uncertain and moves it little, unless samples like it go on.
package struct AcknowledgedBitrate: Sendable {
    /// The first sample takes longer than the later ones.
    private static let initialWindow = 500.0
    private static let window = 150.0
    private static let recentCount = 3
    private static let uncertainty = 10.0
    /// A sample below the estimate while less was sent than may be says little about the path.
    private static let idleUncertainty = 20.0
    private static let varianceGrowth = 5.0

    /// In kbit/s; `nil`: too little has arrived.
    private var estimate: Double?
    /// The last estimates, the newest last.
    private var recent: [Double] = []
    private var variance = 50.0
    private var byteCount = 0
    private var elapsed = 0.0
    private var last: MonoTime?

    package init() {}

    /// Bits a second; `nil`: too little has arrived.
    package var bitrate: Double? {
        estimate.map { $0 * 1000 }
    }

    /// The most of the last windows: while the bottleneck is overused that is what it carries, and windows with less had
    /// gaps in them.
    package var peakBitrate: Double? {
        recent.max().map { $0 * 1000 }
    }

    /// Takes `byteCount` bytes that arrived at `arrival`, on the receiver's clock.
    package mutating func receive(byteCount: Int, at arrival: MonoTime, isApplicationLimited: Bool) {
        let window = estimate == nil ? Self.initialWindow : Self.window
        if let last {
            let passed = (arrival - last).milliseconds
            if passed < 0 {
                elapsed = 0
                self.byteCount = 0
            }
            elapsed += max(passed, 0)
            // After a pause the window has nothing in it.
            if passed > window {
                self.byteCount = 0
                elapsed = elapsed.truncatingRemainder(dividingBy: window)
            }
        }
        last = arrival
        if elapsed >= window {
            take(Double(self.byteCount) * 8 / window, isApplicationLimited: isApplicationLimited)
            elapsed -= window
            self.byteCount = 0
        }
        self.byteCount += byteCount
    }

    private mutating func take(_ sample: Double, isApplicationLimited: Bool) {
        defer {
            recent.append(estimate ?? sample)
            if recent.count > Self.recentCount { recent.removeFirst() }
        }
        guard let estimate else {
            self.estimate = sample
            return
        }
        let scale = isApplicationLimited && sample < estimate ? Self.idleUncertainty : Self.uncertainty
        let deviation = scale * abs(estimate - sample) / max(estimate, sample, 1e-3)
        let sampleVariance = max(deviation * deviation, 1e-6)
        let predicted = variance + Self.varianceGrowth
        self.estimate = (sampleVariance * estimate + predicted * sample) / (sampleVariance + predicted)
        variance = sampleVariance * predicted / (sampleVariance + predicted)
    }
}
