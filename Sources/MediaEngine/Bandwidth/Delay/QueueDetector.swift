import Primitives

/// Tells from the arrival of packets how the bottleneck is used: by the trend of the delay, and by a queue that stands.
struct QueueDetector: Sendable {
    /// A queue that keeps packets for longer than this and also loses some is overuse, though it grows no more.
    private static let longestWait = Duration.milliseconds(30)
    private static let tolerableLoss = 0.05

    private var groups = DelayGroups()
    private var trendline = TrendlineEstimator()
    private var queue = StandingQueue()

    /// Takes one feedback that came at `now`.
    mutating func receive(_ results: [PacketResult], at now: MonoTime) {
        for result in results {
            guard let arrival = result.arrival,
                let variation = groups.receive(sent: result.packet.sent, arrival: arrival)
            else { continue }
            trendline.receive(variation)
        }
        queue.receive(results, at: now)
    }

    /// How the bottleneck is used while this share of the packets is lost, 0…1.
    func usage(lossRatio: Double) -> BandwidthUsage {
        queue.wait > Self.longestWait && lossRatio > Self.tolerableLoss ? .overusing : trendline.usage
    }
}
