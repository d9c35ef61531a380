internal import Primitives
internal import RTP

/// The packets of about the last second, to send again those that a peer misses.
struct PacketHistory: Sendable {
    struct Packet: Sendable {
        var sequenceNumber: SequenceNumber
        var timestamp: UInt32
        var sampled: MonoTime
        var marker: Bool
        var payload: [UInt8]
        var bytes: [UInt8]
        var sent: MonoTime
        /// When it was last sent again.
        var resent: MonoTime?
    }

    /// A power of two.
    private static let capacity = 2048
    private static let maximumAge = Duration.seconds(1)
    private static let maximumByteCount = 2_000_000

    private var packets = [Packet?](repeating: nil, count: PacketHistory.capacity)
    private var oldest: SequenceNumber?
    private(set) var newest: SequenceNumber?
    private(set) var byteCount = 0

    mutating func append(_ packet: Packet) {
        remove(at: packet.sequenceNumber)
        packets[Self.index(of: packet.sequenceNumber)] = packet
        byteCount += packet.bytes.count
        oldest = oldest ?? packet.sequenceNumber
        newest = packet.sequenceNumber
        trim(at: packet.sent)
    }

    /// The packet with `number`, to be sent again at `now`; `nil`: it is not here, or was sent again in the `pause`
    /// before, so that the copy may still be on its way.
    mutating func resend(_ number: SequenceNumber, pause: Duration, at now: MonoTime) -> Packet? {
        let index = Self.index(of: number)
        guard let packet = packets[index], packet.sequenceNumber == number, now - packet.sent <= Self.maximumAge,
            packet.resent.map({ now - $0 >= pause }) ?? true
        else { return nil }
        packets[index]?.resent = now
        return packet
    }

    /// Of the last packets, the one whose length is nearest to `byteCount`.
    func recent(nearestTo byteCount: Int) -> Packet? {
        guard let newest else { return nil }
        return (0..<32).compactMap { packets[Self.index(of: newest + -$0)] }
            .min { abs($0.bytes.count - byteCount) < abs($1.bytes.count - byteCount) }
    }

    private mutating func trim(at now: MonoTime) {
        while let first = oldest, let last = newest, first != last {
            let packet = packets[Self.index(of: first)]
            let isCurrent = packet.map { $0.sequenceNumber == first && now - $0.sent <= Self.maximumAge } ?? false
            let fits = byteCount <= Self.maximumByteCount && last.distance(from: first) < Self.capacity
            guard !isCurrent || !fits else { return }
            remove(at: first)
            oldest = first + 1
        }
    }

    private mutating func remove(at number: SequenceNumber) {
        let index = Self.index(of: number)
        byteCount -= packets[index]?.bytes.count ?? 0
        packets[index] = nil
    }

    private static func index(of number: SequenceNumber) -> Int {
        Int(number.rawValue) & (capacity - 1)
    }
}
