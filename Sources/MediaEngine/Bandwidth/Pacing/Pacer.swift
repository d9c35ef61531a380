package import Primitives

/// What goes first when not everything can.
package enum PacketPriority: Int, CaseIterable, Sendable {
    /// Never waits.
    case audio
    case retransmission
    case video
    /// Redundancy.
    case redundancy
}

/// Spreads packets over time, so that a large frame does not fill the queue at the bottleneck.
///
/// Time is divided into windows in which as many bytes may leave as the bitrate gives. What leaves beyond that, because a
/// packet is not cut, and audio, which never waits, lengthens the window.
package struct Pacer<Packet: Sendable>: Sendable {
    /// What is to leave.
    package enum Departure: Sendable {
        case packet(Packet, byteCount: Int, probe: ProbeCluster.ID?)
        /// Something of this length that fills a probe up.
        case padding(byteCount: Int, probe: ProbeCluster.ID)
    }

    private struct Waiting: Sendable {
        let packet: Packet
        let byteCount: Int
        let since: MonoTime
    }

    package static var window: Duration { .milliseconds(5) }
    /// What waits leaves within this time, faster than paced if need be.
    package static var longestWait: Duration { .seconds(1) }
    /// A probe that could not begin for so long is given up.
    private static var probePatience: Duration { .seconds(1) }

    /// Bits a second.
    package var bitrate: Double

    private var queues = [PacketQueue<Waiting>](repeating: .init(), count: PacketPriority.allCases.count)
    /// Bytes that wait.
    package private(set) var queuedByteCount = 0
    private var budget = 0.0
    private var windowStart = MonoTime.zero
    private var windowEnd = MonoTime.zero
    private var windowByteCount = 0
    private var probe: ActiveProbe?
    private var waitingProbes: [ProbeCluster] = []

    private struct ActiveProbe: Sendable {
        let cluster: ProbeCluster
        let start: MonoTime
        var byteCount = 0
        var packetCount = 0

        /// When so much was to be sent as has been.
        var nextDeparture: MonoTime {
            start + .fractional(seconds: Double(byteCount * 8) / cluster.bitrate)
        }

        var isComplete: Bool {
            byteCount >= cluster.minimumByteCount && packetCount >= ProbeCluster.minimumPacketCount
        }
    }

    package init(bitrate: Double) {
        self.bitrate = bitrate
    }

    /// Lets a packet wait for its turn; `byteCount` is its length on the wire.
    package mutating func enqueue(_ packet: Packet, byteCount: Int, priority: PacketPriority, at now: MonoTime) {
        queues[priority.rawValue].append(Waiting(packet: packet, byteCount: byteCount, since: now))
        queuedByteCount += byteCount
    }

    /// Takes what leaves at `now` without having waited. Returns the probe that it is part of, if one is under way.
    package mutating func letPass(byteCount: Int, at now: MonoTime) -> ProbeCluster.ID? {
        let id = probe?.cluster.id
        account(byteCount, at: now)
        return id
    }

    /// Sends a probe once those before it are done.
    package mutating func enqueue(_ cluster: ProbeCluster) {
        waitingProbes.append(cluster)
    }

    /// Since when the packet waits that waits longest; `nil`: none waits.
    package var oldestWait: MonoTime? {
        queues.reduce(nil) { earlier($0, $1.first?.since) }
    }

    /// Forgets what waits at `priority`, which nobody needs any more.
    package mutating func removeAll(_ priority: PacketPriority) {
        while let waiting = queues[priority.rawValue].popFirst() {
            queuedByteCount -= waiting.byteCount
        }
    }

    /// When something is to leave; `nil`: nothing waits.
    package var deadline: MonoTime? {
        if !queues[PacketPriority.audio.rawValue].isEmpty { return windowStart }
        if let probe { return probe.nextDeparture }
        if !waitingProbes.isEmpty { return windowStart }
        return queuedByteCount == 0 ? nil : (budget > 0 ? windowStart : windowEnd)
    }

    /// What leaves now; `nil`: nothing more until `deadline`.
    package mutating func next(at now: MonoTime) -> Departure? {
        if let waiting = queues[PacketPriority.audio.rawValue].popFirst() { return leave(waiting, at: now) }
        if probe == nil, !waitingProbes.isEmpty {
            probe = ActiveProbe(cluster: waitingProbes.removeFirst(), start: now)
        }
        if let probe {
            guard probe.nextDeparture <= now else { return nil }
            return popFirst().map { leave($0, at: now) } ?? pad(probe, at: now)
        }
        openWindow(at: now)
        guard budget > 0 else { return nil }
        return popFirst().map { leave($0, at: now) }
    }

    private mutating func popFirst() -> Waiting? {
        for index in queues.indices {
            if let waiting = queues[index].popFirst() { return waiting }
        }
        return nil
    }

    private mutating func pad(_ probe: ActiveProbe, at now: MonoTime) -> Departure {
        let byteCount = probe.cluster.paddingByteCount
        account(byteCount, at: now)
        return .padding(byteCount: byteCount, probe: probe.cluster.id)
    }

    private mutating func leave(_ waiting: Waiting, at now: MonoTime) -> Departure {
        queuedByteCount -= waiting.byteCount
        let id = probe?.cluster.id
        account(waiting.byteCount, at: now)
        return .packet(waiting.packet, byteCount: waiting.byteCount, probe: id)
    }

    private mutating func account(_ byteCount: Int, at now: MonoTime) {
        openWindow(at: now)
        budget -= Double(byteCount)
        windowByteCount += byteCount
        let length = Duration.fractional(seconds: Double(windowByteCount * 8) / effectiveBitrate(at: now))
        windowEnd = windowStart + max(Self.window, length)
        probe?.byteCount += byteCount
        probe?.packetCount += 1
        if probe?.isComplete == true { probe = nil }
    }

    private mutating func openWindow(at now: MonoTime) {
        guard now >= windowEnd else { return }
        windowStart = now
        windowEnd = now + Self.window
        windowByteCount = 0
        budget = effectiveBitrate(at: now) * Self.window.seconds / 8
    }

    /// The bitrate, or what it takes for the packet that waits longest to leave in time.
    private func effectiveBitrate(at now: MonoTime) -> Double {
        guard let oldestWait else { return max(bitrate, 1000) }
        let left = max((Self.longestWait - (now - oldestWait)).seconds, Self.window.seconds)
        return max(bitrate, Double(queuedByteCount * 8) / left, 1000)
    }
}
