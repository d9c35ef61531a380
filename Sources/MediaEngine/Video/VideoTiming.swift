internal import Primitives

/// When a frame is to be shown: its time on the sender's clock, mapped by the frames that were fastest, and a delay that
/// nearly all frames keep to.
struct VideoTiming: Sendable {
    /// The share of frames that should come in time.
    private static let quantile: Float = 0.97
    /// What is left of the old at each frame: about the last 150 count.
    private static let forgetFactor: Float = 0.993
    static let maximumTarget = Duration.milliseconds(500)
    /// The delay grows and shrinks by no more than this share of the time that passes.
    private static let slope = 0.1
    private static let rateHz: Int64 = 90_000

    /// Delay behind the fastest frames that is aimed at, not yet smoothed.
    private(set) var wanted = Duration.zero
    /// Delay behind the fastest frames that is in use.
    private(set) var target = Duration.zero
    /// Added so that the picture comes with its sound.
    var syncDelay = Duration.zero

    private var unwrapper = Unwrapper<UInt32>()
    private var history = ArrivalHistory()
    private var histogram = DelayHistogram(forgetFactor: VideoTiming.forgetFactor)
    private var lastUpdate: MonoTime?

    /// Takes a frame that is whole since `completion`.
    mutating func record(timestamp: UInt32, completion: MonoTime) {
        let media = unwrapper.unwrap(timestamp)
        let delay = history.record(arrival: SampleTime.samples(at: completion), mediaTime: Self.samples(media))
        // What comes later than any delay could wait for says nothing about the delay to choose.
        guard delay <= SampleTime.samples(in: Self.maximumTarget) else { return }
        histogram.add(delay)
        let quantile = histogram.quantile(Self.quantile)
        // The first bucket is that of frames which come evenly: no delay is needed.
        wanted = quantile <= DelayHistogram.bucketSampleCount ? .zero : min(Self.duration(quantile), Self.maximumTarget)
        adapt(at: completion)
    }

    /// When a frame is to be shown; `nil` before the first one.
    func renderTime(of timestamp: UInt32) -> MonoTime? {
        guard let fastest = history.fastestOffset else { return nil }
        let media = unwrapper.peek(timestamp)
        return .zero + Self.duration(fastest &+ Self.samples(media)) + target + syncDelay
    }

    mutating func reset() {
        let delay = syncDelay
        self = VideoTiming()
        syncDelay = delay
    }

    private mutating func adapt(at now: MonoTime) {
        defer { lastUpdate = now }
        guard let lastUpdate else { return }
        let step = Duration.fractional(seconds: max(0, (now - lastUpdate).seconds) * Self.slope)
        target = wanted > target ? min(wanted, target + step) : max(wanted, target - step)
    }

    private static func samples(_ ticks: Int64) -> Int {
        Int(ticks) &* (SampleTime.perMillisecond * 1000) / Int(rateHz)
    }

    private static func duration(_ samples: Int) -> Duration {
        .nanoseconds(Int64(samples) &* 1_000_000 / Int64(SampleTime.perMillisecond))
    }
}
