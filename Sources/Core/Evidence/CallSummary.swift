import ControlProtocol
import Primitives

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
        lost.count > 0 ? (lost.sum / Double(lost.count)).rounded(places: 1) : nil
    }

    /// The mean of the estimated opinion score.
    var mos: Double? {
        quality.count > 0 ? (quality.sum / Double(quality.count)).rounded(places: 1) : nil
    }
}
