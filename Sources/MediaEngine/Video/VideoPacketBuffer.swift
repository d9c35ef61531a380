internal import Primitives
internal import RTP

/// The packets of frames that are not whole yet, in any order, bounded in number and bytes.
struct VideoPacketBuffer: Sendable {
    struct Packet: Sendable {
        var sequence: Int64
        var timestamp: UInt32
        var marker: Bool
        var payload: VideoPayload
        /// The coded bytes, without the descriptor.
        var bytes: [UInt8]
        var arrival: MonoTime
    }

    static let maximumPacketCount = 2048
    static let maximumByteCount = 4_000_000
    private static let maximumFramePacketCount = 1024

    private var packets: [Int64: Packet] = [:]
    private(set) var byteCount = 0

    var isEmpty: Bool {
        packets.isEmpty
    }

    var count: Int {
        packets.count
    }

    func contains(_ sequence: Int64) -> Bool {
        packets[sequence] != nil
    }

    /// Takes a packet, which must not be here. Returns the frame that is whole by it, and gives its packets up.
    /// Throws nothing and keeps nothing when it is full: see `isFull`.
    mutating func insert(_ packet: Packet) -> AssembledFrame? {
        packets[packet.sequence] = packet
        byteCount += packet.bytes.count
        guard let first = firstSequence(from: packet), let last = lastSequence(from: packet) else { return nil }
        let parts = (first...last).compactMap { packets[$0] }
        for part in parts { remove(part.sequence) }
        return AssembledFrame(parts)
    }

    /// One more does not fit: the sender has lost its way, or there is an attack.
    var isFull: Bool {
        packets.count >= Self.maximumPacketCount || byteCount >= Self.maximumByteCount
    }

    /// Gives up all packets up to `sequence`.
    mutating func forget(through sequence: Int64) {
        for key in packets.keys where key <= sequence { remove(key) }
    }

    mutating func removeAll() {
        packets.removeAll()
        byteCount = 0
    }

    /// Whether the beginning of a key frame is here.
    var hasKeyFrame: Bool {
        packets.values.contains { $0.payload.isKeyFrame }
    }

    private func firstSequence(from packet: Packet) -> Int64? {
        var current = packet
        for _ in 0..<Self.maximumFramePacketCount {
            if current.payload.beginsFrame { return current.sequence }
            guard let before = packets[current.sequence - 1], before.timestamp == packet.timestamp, !before.marker
            else {
                return nil
            }
            current = before
        }
        return nil
    }

    private func lastSequence(from packet: Packet) -> Int64? {
        var current = packet
        for _ in 0..<Self.maximumFramePacketCount {
            if current.marker { return current.sequence }
            guard let after = packets[current.sequence + 1], after.timestamp == packet.timestamp,
                !after.payload.beginsFrame
            else { return nil }
            current = after
        }
        return nil
    }

    private mutating func remove(_ sequence: Int64) {
        byteCount -= packets.removeValue(forKey: sequence)?.bytes.count ?? 0
    }
}

/// A frame all of whose packets came.
struct AssembledFrame: Sendable {
    /// Of its first packet.
    var payload: VideoPayload
    var sequences: ClosedRange<Int64>
    var timestamp: UInt32
    var bytes: [UInt8]
    /// When its first packet and when its last one came.
    var firstArrival: MonoTime
    var completion: MonoTime

    /// `nil`: of no packets.
    init?(_ parts: [VideoPacketBuffer.Packet]) {
        guard let first = parts.first, let last = parts.last else { return nil }
        payload = first.payload
        sequences = first.sequence...last.sequence
        timestamp = first.timestamp
        bytes = parts.flatMap(\.bytes)
        firstArrival = parts.reduce(first.arrival) { min($0, $1.arrival) }
        completion = parts.reduce(first.arrival) { max($0, $1.arrival) }
    }
}
