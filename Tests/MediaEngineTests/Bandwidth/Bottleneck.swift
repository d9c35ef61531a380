import Primitives
import RTP

/// A packet on the simulated path. `number` is the sender's own: transport-wide, or a TCP segment's.
struct PathPacket {
    var flow: Int
    var number: Int
    var byteCount: Int
    var enqueued = MonoTime.zero
}

/// A router whose queue the flows share: bytes are served at a bitrate that may change at any time, what does not fit the
/// queue is dropped at its tail, and the rest is delivered a fixed time later.
struct Bottleneck {
    struct Delivery {
        var packet: PathPacket
        /// The time from the end of the queue to its head, and through.
        var queueTime: Duration
    }

    /// Bits a second.
    var bitrate: Double
    var delay: Duration
    /// The share lost by noise behind the queue.
    var noise: Double
    /// How much fits the queue.
    var depth = Duration.milliseconds(300)
    /// The standard deviation of what comes to the delay, up to three of it; the order stays.
    var jitter = Duration.zero
    /// What comes to the delay or goes from it, each share of it as often, whatever becomes of the order.
    var spread = Duration.zero
    private(set) var droppedCount = 0

    private var random: SplitMix64
    private var queue: [PathPacket] = []
    private var queueHead = 0
    private var queuedByteCount = 0
    private var serviceEnd: MonoTime?
    private var travelling: [(due: MonoTime, delivery: Delivery)] = []
    private var travelHead = 0

    init(bitrate: Double, delay: Duration, noise: Double = 0, seed: UInt64) {
        self.bitrate = bitrate
        self.delay = delay
        self.noise = noise
        random = SplitMix64(seed: seed)
    }

    mutating func enqueue(_ packet: PathPacket, at now: MonoTime) {
        guard Double((queuedByteCount + packet.byteCount) * 8) <= max(bitrate * depth.seconds, 12_000) else {
            droppedCount += 1
            return
        }
        var packet = packet
        packet.enqueued = now
        queue.append(packet)
        queuedByteCount += packet.byteCount
        if serviceEnd == nil { serve(at: now) }
    }

    var nextEvent: MonoTime? {
        earlier(serviceEnd, travelHead < travelling.count ? travelling[travelHead].due : nil)
    }

    /// The next packet that is delivered at `now` or before.
    mutating func dequeue(at now: MonoTime) -> Delivery? {
        while let end = serviceEnd, end <= now { depart(at: end) }
        guard travelHead < travelling.count, travelling[travelHead].due <= now else { return nil }
        defer {
            travelHead += 1
            if travelHead > 256 {
                travelling.removeSubrange(..<travelHead)
                travelHead = 0
            }
        }
        return travelling[travelHead].delivery
    }

    private mutating func depart(at time: MonoTime) {
        let packet = queue[queueHead]
        queueHead += 1
        queuedByteCount -= packet.byteCount
        if queueHead > 256 {
            queue.removeSubrange(..<queueHead)
            queueHead = 0
        }
        if noise == 0 || random.unit() >= noise {
            let late = jitter == .zero ? 0 : min(abs(random.normal()), 3) * jitter.seconds
            travel(packet, due: time + delay + .fractional(seconds: late), from: time)
        } else {
            droppedCount += 1
        }
        serviceEnd = nil
        if queueHead < queue.count { serve(at: time) }
    }

    private mutating func travel(_ packet: PathPacket, due: MonoTime, from time: MonoTime) {
        let delivery = Delivery(packet: packet, queueTime: time - packet.enqueued)
        guard spread > .zero else {
            return travelling.append((max(due, travelling.last?.due ?? .zero), delivery))
        }
        let due = due + .fractional(seconds: (2 * random.unit() - 1) * spread.seconds)
        let place = travelling[travelHead...].lastIndex { $0.due <= due } ?? travelHead - 1
        travelling.insert((due, delivery), at: place + 1)
    }

    private mutating func serve(at time: MonoTime) {
        serviceEnd = time + .fractional(seconds: Double(queue[queueHead].byteCount * 8) / bitrate)
    }
}
