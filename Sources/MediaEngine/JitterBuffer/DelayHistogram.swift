/// The distribution of relative delays in buckets of 5 ms, with forgetting.
///
/// Each addition takes a share of all buckets and gives it to the one that is hit. It begins as if all packets had been
/// in time, so a quantile needs more than one bad addition to rise, at the start as ever.
struct DelayHistogram: Sendable {
    static let bucketCount = 200
    static let bucketSampleCount = 5 * SampleTime.perMillisecond

    private let forgetFactor: Float
    private var buckets = [Float](repeating: 0, count: DelayHistogram.bucketCount)

    /// - Parameter forgetFactor: what is left of the old at each addition.
    init(forgetFactor: Float) {
        self.forgetFactor = forgetFactor
        buckets[0] = 1
    }

    /// Adds a delay in samples; what is beyond the last bucket counts in it.
    mutating func add(_ delay: Int) {
        for index in buckets.indices { buckets[index] *= forgetFactor }
        buckets[min(max(delay / Self.bucketSampleCount, 0), Self.bucketCount - 1)] += 1 - forgetFactor
    }

    /// The delay in samples, a bucket's upper edge, that the share `probability` does not exceed.
    func quantile(_ probability: Float) -> Int {
        var sum: Float = 0
        for index in buckets.indices {
            sum += buckets[index]
            if sum >= probability - 1e-4 { return (index + 1) * Self.bucketSampleCount }
        }
        return Self.bucketCount * Self.bucketSampleCount
    }

    /// The delay in samples with the least cost, where a per cent of packets lost by lateness costs as much as
    /// `samplesPerLossPercent` of delay; 0 when no delay pays.
    func cheapestDelay(samplesPerLossPercent: Float) -> Int {
        var late: Float = 1 - buckets[0]
        var best = (cost: late * 100 * samplesPerLossPercent, delay: 0)
        for index in 1..<Self.bucketCount {
            late = max(0, late - buckets[index])
            let delay = (index + 1) * Self.bucketSampleCount
            let cost = Float(delay) + late * 100 * samplesPerLossPercent
            if cost < best.cost { best = (cost, delay) }
        }
        return best.delay
    }
}
