import Primitives

/// How long packets wait in queues: the way of the fastest of the last few, less that of the fastest of the last seconds.
/// A queue that stays full has no slope, so the trend alone does not see it. Of many packets one finds the queue empty
/// while it does not stand (as CoDel judges, RFC 8289); one alone says nothing where the path itself varies.
struct StandingQueue: Sendable {
    /// What is enough, and what is too old.
    private static let enough = 25
    private static let moment = Duration.seconds(1)
    private static let memory = Duration.seconds(5)
    /// What found the queue empty counts on for so long: it may not have been empty since.
    private static let longMemory = Duration.seconds(120)
    /// If more is lost for so long although less is sent, that is noise, on a way that may have become longer.
    private static let lossOfFullQueue = 0.075
    private static let settling = Duration.seconds(10)

    /// How long even the fastest of the last packets waited.
    private(set) var wait = Duration.zero
    /// The newest feedbacks: how many packets arrived, and the least way, on two clocks, so only differences count.
    private var recent: [(at: MonoTime, count: Int, least: Duration)] = []
    /// The fastest of the time before `turn` and of the time since.
    private var before: Duration?
    private var since: Duration?
    private var turn: MonoTime?
    /// Since when the fastest of before is kept.
    private var kept: MonoTime?
    /// Since when more is lost than a full queue does.
    private var lossy: MonoTime?

    /// Takes the packets of one feedback that came at `now`, and the share that is lost of late, 0…1.
    mutating func receive(_ results: [PacketResult], lossRatio: Double, at now: MonoTime) {
        lossy = lossRatio > Self.lossOfFullQueue ? lossy ?? now : nil
        let ways = results.compactMap { result in result.arrival.map { $0 - result.packet.sent } }
        guard let least = ways.min() else { return }
        if now - (turn ?? now) >= Self.memory { turn(at: now) }
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

    private mutating func turn(at now: MonoTime) {
        let isNoise = lossy.map { now - $0 >= Self.settling } ?? false
        if let before, let since, before < since, now - (kept ?? now) < Self.longMemory, !isNoise {
            kept = kept ?? now
        } else {
            before = since
            kept = nil
        }
        since = nil
        turn = now
    }
}
