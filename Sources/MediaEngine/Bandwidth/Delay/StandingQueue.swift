import Primitives

/// How long packets wait in queues: their way, less the fastest one's of the last seconds. A queue that stays full has no
/// slope, so the trend alone does not see it.
struct StandingQueue: Sendable {
    private static let memory = Duration.seconds(5)

    /// The least way of the packets of the newest feedback, beyond the fastest.
    private(set) var wait = Duration.zero
    /// The fastest of the time before `turn` and of the time since; on two clocks, so only differences count.
    private var before: Duration?
    private var since: Duration?
    private var turn: MonoTime?

    /// Takes the packets of one feedback that came at `now`.
    mutating func receive(_ results: [PacketResult], at now: MonoTime) {
        var least: Duration?
        for result in results {
            guard let arrival = result.arrival else { continue }
            let way = arrival - result.packet.sent
            least = min(least ?? way, way)
        }
        guard let least else { return }
        if now - (turn ?? now) >= Self.memory {
            before = since
            since = nil
            turn = now
        }
        turn = turn ?? now
        since = min(since ?? least, least)
        wait = least - min(before ?? least, since ?? least)
    }
}
