import Primitives

/// What was sent and lost during the last few seconds, in pieces of a quarter of a second and more.
struct LossObservations: Sendable {
    struct Observation: Sendable, BitwiseCopyable {
        var packetCount: Double
        var lostCount: Double
        /// What was sent, in bits a second.
        var bitrate: Double
    }

    private static let minimumDuration = Duration.milliseconds(250)
    private static let minimumPacketCount = 10
    private static let capacity = 20
    /// What an observation counts less than the one after it.
    private static let decay = 0.9

    /// The newest first.
    private(set) var kept: [Observation] = []
    private var packetCount = 0
    private var lostCount = 0
    private var byteCount = 0
    private var first: MonoTime?

    /// Takes what became of one packet. Returns whether that makes a new observation.
    mutating func receive(sent: MonoTime, byteCount: Int, isLost: Bool) -> Bool {
        let start = first ?? sent
        first = start
        var isNew = false
        if sent - start >= Self.minimumDuration, packetCount >= Self.minimumPacketCount {
            add(
                Observation(
                    packetCount: Double(packetCount), lostCount: Double(lostCount),
                    bitrate: Double(self.byteCount * 8) / (sent - start).seconds))
            first = sent
            (packetCount, lostCount, self.byteCount) = (0, 0, 0)
            isNew = true
        }
        packetCount += 1
        lostCount += isLost ? 1 : 0
        self.byteCount += byteCount
        return isNew
    }

    mutating func add(_ observation: Observation) {
        kept.insert(observation, at: 0)
        if kept.count > Self.capacity { kept.removeLast() }
    }

    /// The share that was lost, the newest counting most, 0…1.
    var lossRatio: Double {
        var (packets, lost) = (0.0, 0.0)
        forEach { observation, weight in
            packets += weight * observation.packetCount
            lost += weight * observation.lostCount
        }
        return packets > 0 ? lost / packets : 0
    }

    /// Calls `body` with each observation and what it counts.
    func forEach(_ body: (Observation, Double) -> Void) {
        var weight = 1.0
        for observation in kept {
            body(observation, weight)
            weight *= Self.decay
        }
    }
}
