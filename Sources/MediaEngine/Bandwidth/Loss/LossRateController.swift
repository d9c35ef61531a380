import Primitives

// A fixed threshold (reduce above 10 % loss) starves on a path that loses 10 % by noise however little is sent. So the
// losses of the last seconds are explained by a model of the path instead, and only what more sending adds counts.

/// The bitrate that loss allows: without queues that grow, loss alone tells of policers and of short queues.
package struct LossRateController: Sendable {
    /// What is tried in place of the present bandwidth.
    private static let factors = [1.02, 1, 0.95]
    private static let initialNoise = 0.01
    /// So many observations in a row chance does not make look like congestion.
    private static let surelyCongestedCount = 4

    /// The share lost of late, 0…1.
    package var lossRatio: Double { observations.lossRatio }
    /// Whether loss allows less than delay does.
    package private(set) var isLimiting = false

    private var observations = LossObservations()
    private var model: LossModel?
    /// For how many observations most was lost because too much was sent.
    private var congestedCount = 0

    package init() {}

    /// Whether most of what is lost is lost because too much is sent.
    package var isCongested: Bool { isLimiting && congestedCount >= Self.surelyCongestedCount }

    /// What loss allows, in bits a second; `nil`: whatever delay does.
    package var bitrate: Double? {
        isLimiting ? model?.bandwidth : nil
    }

    /// Takes what became of sent packets while delay allowed `limit` bits a second.
    package mutating func receive(_ results: [PacketResult], limit: Double) {
        var isNew = false
        for result in results {
            let packet = result.packet
            isNew =
                observations.receive(sent: packet.sent, byteCount: packet.byteCount, isLost: result.arrival == nil)
                || isNew
        }
        if isNew { update(limit: limit) } else if isLimiting { isLimiting = (model?.bandwidth ?? limit) < limit }
    }

    /// Takes a peer's own count: of `expected` packets `lost` were lost while `bitrate` was sent.
    package mutating func receive(expected: Int64, lost: Int64, bitrate: Double, limit: Double) {
        guard expected > 0, bitrate > 0 else { return }
        observations.add(
            .init(
                packetCount: Double(expected), lostCount: Double(lost.clamped(to: 0...expected)), bitrate: bitrate))
        update(limit: limit)
    }

    private mutating func update(limit: Double) {
        let before = model?.bandwidth ?? limit
        let noise = model?.noise ?? Self.initialNoise
        let candidates = Self.factors.map { min(before * $0, limit) } + [limit]
        var best: (model: LossModel, score: Double)?
        for bandwidth in candidates {
            let candidate = LossModel(bandwidth: bandwidth, near: noise, explaining: observations)
            let score = candidate.score(of: observations)
            if best.map({ score > $0.score }) ?? true { best = (candidate, score) }
        }
        guard var chosen = best?.model else { return }
        // More is lost than noise explains: that is no time to send more.
        if chosen.bandwidth > before, observations.lossRatio > chosen.noise * 1.05 + 0.005 { chosen.bandwidth = before }
        model = chosen
        isLimiting = chosen.bandwidth < limit
        congestedCount = isLimiting && lossRatio > 2 * chosen.noise ? congestedCount + 1 : 0
    }
}
