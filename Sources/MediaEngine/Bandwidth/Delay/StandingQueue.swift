import Primitives

/// How long packets wait in queues: the way of the fastest of the last few, less that of the fastest of the last seconds.
/// A queue that stays full has no slope, so the trend alone does not see it. Of many packets one finds the queue empty
/// while it does not stand (as CoDel judges, RFC 8289); one alone says nothing where the path itself varies.
struct StandingQueue: Sendable {
    /// What is enough, and what is too old.
    private static let enough = 25
    private static let moment = Duration.seconds(1)
    private static let memory = Duration.seconds(5)

    /// How long even the fastest of the last packets waited.
    private(set) var wait = Duration.zero
    /// The newest feedbacks: how many packets arrived, and the least way, on two clocks, so only differences count.
    private var recent: [(at: MonoTime, count: Int, least: Duration)] = []
    /// The fastest of the time before `turn` and of the time since.
    private var before: Duration?
    private var since: Duration?
    private var turn: MonoTime?

    /// Takes the packets of one feedback that came at `now`.
    mutating func receive(_ results: [PacketResult], at now: MonoTime) {
        let ways = results.compactMap { result in result.arrival.map { $0 - result.packet.sent } }
        guard let least = ways.min() else { return }
        if now - (turn ?? now) >= Self.memory {
            before = since
            since = nil
            turn = now
        }
        turn = turn ?? now
        since = min(since ?? least, least)
        recent.append((now, ways.count, least))
        var count = recent.reduce(0) { $0 + $1.count }
        while let oldest = recent.first, count - oldest.count >= Self.enough || now - oldest.at > Self.moment {
            count -= oldest.count
            recent.removeFirst()
        }
        let present = recent.reduce(least) { min($0, $1.least) }
        wait = present - min(before ?? least, since ?? least)
    }
}
