import ControlProtocol

/// What a whole call was like.
struct CallSummary {
    private var lost = (sum: 0.0, count: 0)
    private var quality = (sum: 0.0, count: 0)

    mutating func add(_ sample: EvidenceSample) {
        if let loss = sample.receivedLossPercent { lost = (lost.sum + loss, lost.count + 1) }
        if let mos = sample.mos { quality = (quality.sum + mos, quality.count + 1) }
    }

    /// The mean of what was lost on the way here, in per cent.
    var lossPercent: Double? {
        lost.count > 0 ? StatisticsCollector.rounded(lost.sum / Double(lost.count)) : nil
    }

    /// The mean of the estimated opinion score.
    var mos: Double? {
        quality.count > 0 ? StatisticsCollector.rounded(quality.sum / Double(quality.count)) : nil
    }
}
