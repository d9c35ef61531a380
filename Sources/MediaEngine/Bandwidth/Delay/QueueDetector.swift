import Primitives

/// Tells from the arrival of packets how the bottleneck is used: by the trend of the delay, and by a queue that stands.
struct QueueDetector: Sendable {
    /// A queue that keeps packets for longer than this and also loses some is overuse, though it grows no more.
    private static let longestWait = Duration.milliseconds(30)
    private static let tolerableLoss = 0.05

    private var groups = DelayGroups()
    private var trendline = TrendlineEstimator()
    private var queue = StandingQueue()
    private var isLossy = false

    /// Takes one feedback that came at `now`, and the share of the packets that is lost of late, 0…1.
    mutating func receive(_ results: [PacketResult], lossRatio: Double, at now: MonoTime) {
        isLossy = lossRatio > Self.tolerableLoss
        for result in results {
            guard let arrival = result.arrival,
                let variation = groups.receive(sent: result.packet.sent, arrival: arrival)
            else { continue }
            trendline.receive(variation)
        }
        queue.receive(results, lossRatio: lossRatio, at: now)
    }

    /// How the bottleneck is used.
    var usage: BandwidthUsage {
        queue.wait > Self.longestWait && isLossy ? .overusing : trendline.usage
    }
}
