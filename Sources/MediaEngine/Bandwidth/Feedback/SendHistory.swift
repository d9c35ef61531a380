package import Primitives
package import RTP

/// The packets that left and of which nothing was heard yet, by their transport-wide number.
package struct SendHistory: Sendable {
    /// What one feedback tells of this side's packets.
    package struct Report: Sendable {
        /// In order of the number. A packet that was told lost before is here again only when it came after all.
        package var results: [PacketResult] = []
        /// The way there and back of the newest packet, without the time that the receiver held its arrival back;
        /// `nil`: nothing arrived.
        package var roundTrip: Duration?
    }

    private enum State: Sendable, BitwiseCopyable {
        case unheard
        case lost
        case arrived
    }

    private struct Entry: Sendable, BitwiseCopyable {
        var packet: SentPacket
        var state = State.unheard
    }

    /// Packets are forgotten after so long or when there are more.
    private static let lifetime = Duration.seconds(10)
    private static let capacity = 8192

    private var entries: [Entry] = []
    /// The first of `entries` that counts; those before it wait to be removed together.
    private var head = 0
    private var nextNumber: Int64
    private var clock = RemoteClock()
    /// The newest number that feedback has told of.
    private var heardNumber: Int64 = -1

    /// Numbers begin with `first`.
    package init(first: SequenceNumber = SequenceNumber(0)) {
        nextNumber = Int64(first.rawValue)
        heardNumber = nextNumber - 1
    }

    /// Takes a packet that leaves at `now`. Returns the number that it is to carry.
    package mutating func add(
        byteCount: Int, probe: ProbeCluster.ID?, isAudio: Bool = false, at now: MonoTime
    ) -> SequenceNumber {
        forget(at: now)
        let packet = SentPacket(number: nextNumber, sent: now, byteCount: byteCount, probe: probe, isAudio: isAudio)
        entries.append(Entry(packet: packet))
        nextNumber += 1
        return SequenceNumber(UInt16(truncatingIfNeeded: packet.number))
    }

    /// When the newest packet left; `nil`: none is remembered.
    package var newestSent: MonoTime? { head < entries.count ? entries.last?.packet.sent : nil }

    /// When the oldest packet left of which feedback could still tell; `nil`: all was told of.
    package var oldestUnheard: MonoTime? {
        let index = index(of: heardNumber + 1)
        return index >= head && index < entries.count ? entries[index].packet.sent : nil
    }

    /// Takes feedback that came at `now`.
    package mutating func receive(_ feedback: TransportFeedback, at now: MonoTime) -> Report {
        var report = Report()
        var arrival = clock.time(of: feedback.referenceTime)
        let base = extended(feedback.base)
        var next = base
        var newest: (sent: MonoTime, arrival: MonoTime)?
        for told in feedback.arrivals {
            arrival += TransportFeedback.deltaUnit * Int(told.delta)
            let number = base + Int64(told.offset)
            takeLost(from: next, until: number, into: &report)
            next = number + 1
            guard let packet = takeArrived(number) else { continue }
            report.results.append(PacketResult(packet: packet, arrival: arrival))
            newest = (packet.sent, arrival)
        }
        takeLost(from: next, until: base + Int64(feedback.packetCount), into: &report)
        heardNumber = max(heardNumber, min(base + Int64(feedback.packetCount), nextNumber) - 1)
        report.roundTrip = newest.map { max(now - $0.sent - (arrival - $0.arrival), .zero) }
        return report
    }

    /// The number nearest to the newest sent one.
    private func extended(_ number: SequenceNumber) -> Int64 {
        nextNumber + Int64(number.distance(from: SequenceNumber(UInt16(truncatingIfNeeded: nextNumber))))
    }

    private func index(of number: Int64) -> Int {
        entries.count - Int(nextNumber - number)
    }

    private mutating func takeArrived(_ number: Int64) -> SentPacket? {
        let index = index(of: number)
        guard index >= head, index < entries.count, entries[index].state != .arrived else { return nil }
        entries[index].state = .arrived
        return entries[index].packet
    }

    private mutating func takeLost(from start: Int64, until end: Int64, into report: inout Report) {
        let first = max(index(of: start), head)
        let last = min(index(of: end), entries.count)
        guard first < last else { return }
        for index in first..<last where entries[index].state == .unheard {
            entries[index].state = .lost
            report.results.append(PacketResult(packet: entries[index].packet, arrival: nil))
        }
    }

    /// Forgets packets of which nothing will be told any more.
    package mutating func forget(at now: MonoTime) {
        while head < entries.count,
            entries.count - head >= Self.capacity || now - entries[head].packet.sent > Self.lifetime
        {
            head += 1
        }
        guard head > 512, head * 2 > entries.count else { return }
        entries.removeSubrange(..<head)
        head = 0
    }
}

/// Undoes the wraps of a receiver's reference times.
private struct RemoteClock: Sendable {
    private var last: Int32 = 0
    private var units: Int64 = 0

    mutating func time(of reference: Int32) -> MonoTime {
        units += Int64(((reference &- last) << 8) >> 8)
        last = reference
        return .zero + TransportFeedback.deltaUnit * (Int(units) * TransportFeedback.referenceUnit)
    }
}
