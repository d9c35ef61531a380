import Primitives

/// Measures what a probe's packets arrived at.
struct ProbeEstimator: Sendable {
    /// So much of a probe must have arrived.
    private static let arrivedShare = 0.8
    /// More than this times what was sent cannot have arrived.
    private static let plausibleRatio = 2.0
    /// The path was filled when less than this share of what was sent arrived; then so much of it is believed.
    private static let filledShare = 0.9
    private static let believedShare = 0.95
    private static let longest = Duration.seconds(1)
    /// Probes that wait for the rest of their packets.
    private static let capacity = 8

    fileprivate struct Run: Sendable {
        let cluster: ProbeCluster
        var packetCount = 0
        var byteCount = 0
        var firstSent: MonoTime?
        var lastSent: MonoTime?
        var firstArrival: MonoTime?
        var lastArrival: MonoTime?
        var lastSentByteCount = 0
        var firstArrivedByteCount = 0
    }

    private var runs: [Run] = []

    mutating func begin(_ cluster: ProbeCluster) {
        if runs.count == Self.capacity { runs.removeFirst() }
        runs.append(Run(cluster: cluster))
    }

    /// Takes a packet that arrived. Returns what its probe measured, in bits a second, once enough of it has arrived.
    mutating func receive(_ packet: SentPacket, arrival: MonoTime) -> Double? {
        guard let index = runs.firstIndex(where: { $0.cluster.id == packet.probe }) else { return nil }
        runs[index].add(packet, arrival: arrival)
        let run = runs[index]
        guard Double(run.packetCount) >= Double(ProbeCluster.minimumPacketCount) * Self.arrivedShare,
            Double(run.byteCount) >= Double(run.cluster.minimumByteCount) * Self.arrivedShare
        else { return nil }
        return Self.bitrate(of: run)
    }

    private static func bitrate(of run: Run) -> Double? {
        guard let sendTime = interval(run.firstSent, run.lastSent),
            let arrivalTime = interval(run.firstArrival, run.lastArrival)
        else { return nil }
        // The last packet's own time to send, and the first one's to arrive, lie outside.
        let sent = Double((run.byteCount - run.lastSentByteCount) * 8) / sendTime
        let arrived = Double((run.byteCount - run.firstArrivedByteCount) * 8) / arrivalTime
        guard arrived <= plausibleRatio * sent else { return nil }
        return arrived < filledShare * sent ? believedShare * arrived : min(sent, arrived)
    }

    private static func interval(_ first: MonoTime?, _ last: MonoTime?) -> Double? {
        guard let first, let last, last > first, last - first <= longest else { return nil }
        return (last - first).seconds
    }
}

extension ProbeEstimator.Run {
    fileprivate mutating func add(_ packet: SentPacket, arrival: MonoTime) {
        packetCount += 1
        byteCount += packet.byteCount
        firstSent = min(firstSent ?? packet.sent, packet.sent)
        if packet.sent >= lastSent ?? packet.sent {
            lastSent = packet.sent
            lastSentByteCount = packet.byteCount
        }
        if arrival < firstArrival ?? (arrival + .nanoseconds(1)) {
            firstArrival = arrival
            firstArrivedByteCount = packet.byteCount
        }
        lastArrival = max(lastArrival ?? arrival, arrival)
    }
}
