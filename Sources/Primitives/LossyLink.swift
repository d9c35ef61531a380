/// One direction of a simulated network path: seeded, on a caller's clock, without I/O.
///
/// A driver enqueues datagrams as they are sent and takes them out when their delivery time has come. The same seed and
/// the same calls give the same losses. Tests join machines with it, and the demonstration impairs its guests by it.
package struct LossyLink: Sendable {
    /// How the link loses datagrams.
    package enum Loss: Hashable, Sendable {
        /// Nothing is lost.
        case none
        /// Each datagram is lost with probability `rate`, independently.
        case random(rate: Double)
        /// Gilbert's two states: nothing is lost in the good one and everything in the bad one. `rate` is the share
        /// lost in the long run, `burst` the mean number lost in a row (at least 1).
        case bursty(rate: Double, burst: Double)
    }

    /// What the link does to datagrams.
    package struct Conditions: Hashable, Sendable {
        /// The mean one-way delay.
        package var delay: Duration = .zero
        /// The standard deviation of the delay, drawn from a normal distribution cut at ±3 deviations.
        package var jitter: Duration = .zero
        package var loss: Loss = .none
        /// The share of datagrams that are delivered twice.
        package var duplication: Double = 0
        /// Whether jitter may change the order; without it a late datagram holds up the ones behind it.
        package var reorders = false
        /// The bottleneck in bits a second; 0: none.
        package var rateBitsPerSecond: Double = 0
        /// The longest wait at the bottleneck; what would wait longer is dropped at the tail.
        package var queue: Duration = .milliseconds(300)

        package init() {}
    }

    /// What is done to datagrams enqueued from now on.
    package var conditions: Conditions
    /// Datagrams dropped by loss or by the full queue.
    package private(set) var lostCount = 0
    /// Datagrams that were enqueued.
    package private(set) var enqueuedCount = 0

    private var random: SplitMix64
    private var isBad = false
    private var bottleneckFree = MonoTime.zero
    private var lastDelivery = MonoTime.zero
    private var order: UInt64 = 0
    private var waiting: [Item] = []

    private struct Item: Sendable {
        var due: MonoTime
        var order: UInt64
        var datagram: [UInt8]
    }

    package init(_ conditions: Conditions, seed: UInt64) {
        self.conditions = conditions
        random = SplitMix64(seed: seed)
    }

    /// Sends `datagram` into the link at `now`.
    package mutating func enqueue(_ datagram: [UInt8], at now: MonoTime) {
        enqueuedCount += 1
        guard !drawsLoss() else {
            lostCount += 1
            return
        }
        guard let departure = passBottleneck(byteCount: datagram.count, at: now) else {
            lostCount += 1
            return
        }
        schedule(datagram, departing: departure)
        if conditions.duplication > 0, random.unit() < conditions.duplication {
            schedule(datagram, departing: departure)
        }
    }

    /// When the next datagram comes out; `nil`: the link is empty.
    package var nextDelivery: MonoTime? {
        waiting.first?.due
    }

    /// The next datagram that is due at `now`, or `nil`.
    package mutating func dequeue(at now: MonoTime) -> [UInt8]? {
        guard let first = waiting.first, first.due <= now else { return nil }
        return waiting.removeFirst().datagram
    }

    private mutating func drawsLoss() -> Bool {
        switch conditions.loss {
        case .none:
            return false
        case .random(let rate):
            return random.unit() < rate
        case .bursty(let rate, let burst):
            let leaveBad = 1 / max(burst, 1)
            let enterBad = min(1, leaveBad * rate / max(1 - rate, 1e-9))
            isBad = random.unit() < (isBad ? 1 - leaveBad : enterBad)
            return isBad
        }
    }

    private mutating func passBottleneck(byteCount: Int, at now: MonoTime) -> MonoTime? {
        guard conditions.rateBitsPerSecond > 0 else { return now }
        let start = max(now, bottleneckFree)
        guard start - now <= conditions.queue else { return nil }
        bottleneckFree = start + .fractional(seconds: Double(byteCount * 8) / conditions.rateBitsPerSecond)
        return bottleneckFree
    }

    private mutating func schedule(_ datagram: [UInt8], departing: MonoTime) {
        let deviation = conditions.jitter.seconds
        let shift = deviation > 0 ? deviation * min(max(random.normal(), -3), 3) : 0
        var due = departing + .fractional(seconds: max(0, conditions.delay.seconds + shift))
        if !conditions.reorders {
            due = max(due, lastDelivery)
        }
        lastDelivery = max(lastDelivery, due)
        order += 1
        let item = Item(due: due, order: order, datagram: datagram)
        let place = waiting.lastIndex { ($0.due, $0.order) < (due, order) }.map { $0 + 1 } ?? 0
        waiting.insert(item, at: place)
    }
}
