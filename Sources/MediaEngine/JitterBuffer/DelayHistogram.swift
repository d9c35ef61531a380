/// The distribution of relative delays in buckets of 5 ms, with forgetting.
///
/// Each addition takes a share of all buckets and gives it to the one that is hit. The share begins large, so that the
/// first additions count, and falls to `1 - forgetFactor`.
struct DelayHistogram: Sendable {
    static let bucketCount = 200
    static let bucketSampleCount = 5 * SampleTime.perMillisecond

    private let forgetFactor: Float
    /// How fast the share falls at the start: the n-th addition takes at least `startWeight / (n + 1)`.
    private let startWeight: Float = 2
    private var buckets = [Float](repeating: 0, count: DelayHistogram.bucketCount)
    private var additionCount = 0

    init(forgetFactor: Float) {
        self.forgetFactor = forgetFactor
    }

    var isEmpty: Bool {
        additionCount == 0
    }

    /// Adds a delay in samples; what is beyond the last bucket counts in it.
    mutating func add(_ delay: Int) {
        additionCount = min(additionCount + 1, 1_000_000)
        let share = min(1, max(1 - forgetFactor, startWeight / Float(additionCount + 1)))
        for index in buckets.indices { buckets[index] *= 1 - share }
        buckets[min(max(delay / Self.bucketSampleCount, 0), Self.bucketCount - 1)] += share
    }

    /// The delay in samples, a bucket's upper edge, that the share `probability` does not exceed; 0 when empty.
    func quantile(_ probability: Float) -> Int {
        guard !isEmpty else { return 0 }
        var sum: Float = 0
        for (index, bucket) in buckets.enumerated() {
            sum += bucket
            if sum >= probability - 1e-4 { return (index + 1) * Self.bucketSampleCount }
        }
        return Self.bucketCount * Self.bucketSampleCount
    }

    /// The delay in samples with the least cost, where a per cent of packets lost by lateness costs as much as
    /// `samplesPerLossPercent` of delay; 0 when no delay pays.
    func cheapestDelay(samplesPerLossPercent: Float) -> Int {
        var late: Float = 1 - buckets[0]
        var best = (cost: late * 100 * samplesPerLossPercent, delay: 0)
        guard !isEmpty else { return 0 }
        for index in 1..<Self.bucketCount {
            late = max(0, late - buckets[index])
            let delay = (index + 1) * Self.bucketSampleCount
            let cost = Float(delay) + late * 100 * samplesPerLossPercent
            if cost < best.cost { best = (cost, delay) }
        }
        return best.delay
    }

    mutating func reset() {
        for index in buckets.indices { buckets[index] = 0 }
        additionCount = 0
    }
}
