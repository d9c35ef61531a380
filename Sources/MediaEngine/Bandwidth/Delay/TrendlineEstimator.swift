import Primitives

/// Whether the queue at the bottleneck grows.
package enum BandwidthUsage: Hashable, Sendable, BitwiseCopyable {
    case normal
    /// More is sent than the bottleneck carries.
    case overusing
    /// The queue drains.
    case underusing
}

/// Finds the slope of the queuing delay by a linear regression and judges it against a threshold that adapts to the
/// path, so that competing flows which fill the queue do not starve this one.
package struct TrendlineEstimator: Sendable {
    private static let windowSize = 20
    private static let smoothing = 0.9
    private static let gain = 4.0
    /// The slope counts for so many groups at most.
    private static let maximumGroupCount = 60
    private static let initialThreshold = 12.5
    private static let thresholds = 6.0...600
    private static let risePerMillisecond = 0.0087
    private static let fallPerMillisecond = 0.039
    /// A slope further beyond the threshold is a sudden change of the path: the threshold does not follow it.
    private static let adaptationMargin = 15.0
    private static let overuseMilliseconds = 10.0

    package private(set) var usage = BandwidthUsage.normal
    /// In milliseconds, as `slope` counts.
    package private(set) var threshold = initialThreshold
    private var points: [(time: Double, delay: Double)] = []
    private var origin: MonoTime?
    private var accumulatedDelay = 0.0
    private var smoothedDelay = 0.0
    private var groupCount = 0
    private var trend = 0.0
    private var overuseTime: Double?
    private var overuseCount = 0
    private var lastAdaptation: MonoTime?

    package init() {
        points.reserveCapacity(Self.windowSize + 1)
    }

    package mutating func receive(_ variation: DelayVariation) {
        let sendDelta = variation.sendDelta.milliseconds
        groupCount = min(groupCount + 1, 1000)
        accumulatedDelay += variation.arrivalDelta.milliseconds - sendDelta
        smoothedDelay = Self.smoothing * smoothedDelay + (1 - Self.smoothing) * accumulatedDelay
        let start = origin ?? variation.arrival
        origin = start
        if points.count == Self.windowSize { points.removeFirst() }
        points.append(((variation.arrival - start).milliseconds, smoothedDelay))
        let before = trend
        if points.count == Self.windowSize, let slope = Self.slope(of: points) { trend = slope }
        judge(before: before, sendDelta: sendDelta, at: variation.arrival)
    }

    private mutating func judge(before: Double, sendDelta: Double, at time: MonoTime) {
        guard groupCount > 1 else { return }
        let slope = Double(min(groupCount, Self.maximumGroupCount)) * trend * Self.gain
        if slope > threshold {
            let lasted = overuseTime.map { $0 + sendDelta } ?? sendDelta / 2
            overuseTime = lasted
            overuseCount += 1
            if lasted > Self.overuseMilliseconds, overuseCount > 1, trend >= before {
                overuseTime = 0
                overuseCount = 0
                usage = .overusing
            }
        } else {
            overuseTime = nil
            overuseCount = 0
            usage = slope < -threshold ? .underusing : .normal
        }
        adaptThreshold(to: abs(slope), at: time)
    }

    private mutating func adaptThreshold(to slope: Double, at time: MonoTime) {
        let elapsed = min((time - (lastAdaptation ?? time)).milliseconds, 100)
        lastAdaptation = time
        guard slope <= threshold + Self.adaptationMargin else { return }
        let speed = slope < threshold ? Self.fallPerMillisecond : Self.risePerMillisecond
        threshold = (threshold + speed * (slope - threshold) * elapsed).clamped(to: Self.thresholds)
    }

    /// The slope of the line that fits best; `nil`: all points have one time.
    private static func slope(of points: [(time: Double, delay: Double)]) -> Double? {
        var (times, delays) = (0.0, 0.0)
        for point in points {
            times += point.time
            delays += point.delay
        }
        let (meanTime, meanDelay) = (times / Double(points.count), delays / Double(points.count))
        var (covariance, variance) = (0.0, 0.0)
        for point in points {
            covariance += (point.time - meanTime) * (point.delay - meanDelay)
            variance += (point.time - meanTime) * (point.time - meanTime)
        }
        return variance > 0 ? covariance / variance : nil
    }
}
