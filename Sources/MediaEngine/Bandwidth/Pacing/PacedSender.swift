package import Primitives

/// Everything that one transport sends passes here: it leaves in the order of its priority at a pace that the path
/// carries, with the number that the peer reports by.
///
/// The owner enqueues packets, asks `next` at `deadline` and after each enqueue until it is `nil`, and shares `target` out
/// among its encoders.
package struct PacedSender<Packet: Sendable>: Sendable {
    /// What is to leave now.
    package struct Departure: Sendable {
        package enum Content: Sendable {
            case packet(Packet)
            /// Padding (RFC 3550, section 5.1, or of an RTX stream) of about this length on the wire.
            case padding(byteCount: Int)
        }

        package let content: Content
        /// The transport-wide number that the packet is to carry.
        package let number: SequenceNumber
    }

    /// Media may leave this much faster than the target, so that a large frame soon has left.
    package static var pacingFactor: Double { 2.5 }

    package private(set) var congestion: CongestionController
    private var pacer: Pacer<Packet>

    package init(_ congestion: CongestionController) {
        self.congestion = congestion
        pacer = Pacer(bitrate: congestion.target * Self.pacingFactor)
    }

    /// What may be sent, in bits a second on the wire.
    package var target: Double { congestion.target }

    /// How long what waits longest has waited.
    package func queueTime(at now: MonoTime) -> Duration {
        pacer.oldestWait.map { now - $0 } ?? .zero
    }

    /// Lets a packet wait for its turn; `byteCount` is its length on the wire.
    package mutating func enqueue(_ packet: Packet, byteCount: Int, priority: PacketPriority, at now: MonoTime) {
        pacer.enqueue(packet, byteCount: byteCount, priority: priority, at: now)
    }

    /// Takes an audio packet that leaves at `now`, which the rest then waits for. Returns the number that it is to carry.
    package mutating func sendAudio(byteCount: Int, at now: MonoTime) -> SequenceNumber {
        let probe = pacer.letPass(byteCount: byteCount, at: now)
        return congestion.sent(byteCount: byteCount, probe: probe, isAudio: true, at: now)
    }

    /// Forgets what waits at `priority`.
    package mutating func removeAll(_ priority: PacketPriority) {
        pacer.removeAll(priority)
    }

    /// Hands the congestion controller what it is told, and follows what it finds.
    package mutating func update<Result>(_ body: (inout CongestionController) -> Result) -> Result {
        defer {
            pacer.bitrate = congestion.target * Self.pacingFactor
            while let probe = congestion.takeProbe() { pacer.enqueue(probe) }
        }
        return body(&congestion)
    }

    package mutating func tick(at now: MonoTime) {
        update { $0.tick(at: now) }
    }

    /// When `tick` and `next` are wanted; `nil`: nothing waits.
    package var deadline: MonoTime? {
        earlier(congestion.deadline, pacer.deadline)
    }

    /// What leaves at `now`; `nil`: nothing more until `deadline`.
    package mutating func next(at now: MonoTime) -> Departure? {
        guard let departure = pacer.next(at: now) else { return nil }
        switch departure {
        case .packet(let packet, let byteCount, let probe):
            let number = congestion.sent(byteCount: byteCount, probe: probe, at: now)
            return Departure(content: .packet(packet), number: number)
        case .padding(let byteCount, let probe):
            let number = congestion.sent(byteCount: byteCount, probe: probe, at: now)
            return Departure(content: .padding(byteCount: byteCount), number: number)
        }
    }
}
