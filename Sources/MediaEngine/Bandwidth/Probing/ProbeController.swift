import Primitives

/// Decides when to try whether the path carries more than is known.
struct ProbeController: Sendable {
    private static let initialFactors = [3.0, 6.0]
    /// A probe that measured this share of what it tried is followed by one of twice what it measured.
    private static let promisingShare = 0.7
    private static let nextFactor = 2.0
    /// While less is sent than may be, this often and this much more is tried.
    private static let idleInterval = Duration.seconds(5)
    private static let idleFactor = 2.0
    /// After a fall below this share of the bitrate before, more is tried …
    private static let fallShare = 0.66
    /// … after this time, and then each time after twice as long, but never longer than the other.
    private static let recoveryInterval = Duration.seconds(5)
    private static let longestRecoveryInterval = Duration.seconds(30)
    private static let resultTimeout = Duration.seconds(1)

    private var nextID = 0
    private var awaited: (bitrate: Double, until: MonoTime)?
    /// Whether the newest probes try what was carried before a fall. They pass between the packets of others who may
    /// have caused it, so what they measure is to be approached, not taken.
    private(set) var isRecovering = false
    private var lastProbe: MonoTime?
    /// What an idle probe found that tried much more than that: the next one tries so much.
    private var found: Double?
    /// The fall that is recovered from, and when to try next.
    private var recovery: (fall: MonoTime, due: MonoTime, wait: Duration)?

    /// What to try at the beginning.
    mutating func start(_ bitrate: Double, maximum: Double, at now: MonoTime) -> [ProbeCluster] {
        make(Self.initialFactors.map { $0 * bitrate }, maximum: maximum, at: now)
    }

    /// What to try when the bound that held the bitrate down has risen to `maximum`.
    mutating func boundRose(_ bitrate: Double, maximum: Double, at now: MonoTime) -> [ProbeCluster] {
        guard bitrate < maximum else { return [] }
        isRecovering = false
        return make(Self.initialFactors.map { $0 * bitrate }, maximum: maximum, at: now)
    }

    /// Whether the newest probe found about what it tried, so that it says more than that the path was filled.
    func isPromising(_ measured: Double, at now: MonoTime) -> Bool {
        awaited.map { now < $0.until && measured >= Self.promisingShare * $0.bitrate } ?? false
    }

    /// What to try after a probe has measured `measured`.
    mutating func measured(_ measured: Double, maximum: Double, at now: MonoTime) -> [ProbeCluster] {
        found = isPromising(measured, at: now) ? nil : measured
        guard found == nil, let awaited, awaited.bitrate < maximum else { return [] }
        return make([Self.nextFactor * measured], maximum: maximum, at: now)
    }

    /// What to try as time passes. `idle`: since when less is sent than may be; `fall`: the bitrate before it fell, and
    /// when that was.
    mutating func tick(
        _ bitrate: Double, maximum: Double, idle: MonoTime?, fall: (from: Double, at: MonoTime)?, at now: MonoTime
    ) -> [ProbeCluster] {
        if let awaited, now < awaited.until { return [] }
        if let fall, bitrate < Self.fallShare * fall.from, isRecoveryDue(fall.at, at: now) {
            isRecovering = true
            return make([min(Self.nextFactor * bitrate, fall.from)], maximum: maximum, at: now)
        }
        guard let idle, now - max(idle, lastProbe ?? idle) >= Self.idleInterval, bitrate < maximum else { return [] }
        isRecovering = false
        let wanted = found.flatMap { $0 > bitrate ? $0 : nil } ?? Self.idleFactor * bitrate
        found = nil
        return make([wanted], maximum: maximum, at: now)
    }

    private mutating func isRecoveryDue(_ fall: MonoTime, at now: MonoTime) -> Bool {
        if recovery?.fall != fall { recovery = (fall, fall + Self.recoveryInterval, Self.recoveryInterval * 2) }
        guard let (_, due, wait) = recovery, due <= now else { return false }
        recovery = (fall, now + wait, min(wait * 2, Self.longestRecoveryInterval))
        return true
    }

    private mutating func make(_ bitrates: [Double], maximum: Double, at now: MonoTime) -> [ProbeCluster] {
        lastProbe = now
        var clusters: [ProbeCluster] = []
        for bitrate in bitrates where clusters.last.map({ $0.bitrate < maximum }) ?? true {
            clusters.append(ProbeCluster(id: .init(rawValue: nextID), bitrate: min(bitrate, maximum)))
            nextID += 1
        }
        awaited = clusters.last.map { ($0.bitrate, now + Self.resultTimeout) }
        return clusters
    }
}
