import MediaEngine
import Primitives
import RTP

/// Calls, and perhaps a TCP flow, that share one bottleneck, on a virtual clock. Feedback goes as bytes.
struct BandwidthSimulation {
    /// What one call's packets went through in the last `measure`.
    struct Measurement {
        var sentCount = 0
        var deliveredCount = 0
        var deliveredByteCount = 0
        var queueTimes: [Double] = []

        var lossRatio: Double { sentCount > 0 ? 1 - Double(deliveredCount) / Double(sentCount) : 0 }
        /// The 95th percentile of the time in the queue, in milliseconds.
        var queueTimeP95: Double {
            queueTimes.isEmpty ? 0 : queueTimes.sorted()[queueTimes.count * 95 / 100]
        }
    }

    private(set) var now = MonoTime.zero
    var path: Bottleneck
    var calls: [CallFlow]
    var reno: RenoFlow?
    /// Whether feedback finds its way back.
    var feedbackPasses = true
    private(set) var measurements: [Measurement]
    private(set) var measuredFrom = MonoTime.zero
    private var backward: [(due: MonoTime, call: Int?, number: Int, bytes: [UInt8])] = []
    private var backwardHead = 0

    init(_ path: Bottleneck, calls: [CallFlow], reno: RenoFlow? = nil) {
        self.path = path
        self.calls = calls
        self.reno = reno
        measurements = .init(repeating: .init(), count: calls.count)
    }

    /// Hands the first call's controller something at the present time.
    mutating func update(_ body: (inout CongestionController, MonoTime) -> Void) {
        let time = now
        calls[0].sender.update { body(&$0, time) }
    }

    /// Measures anew for so long, once the calls have settled for a while.
    mutating func measure(
        _ duration: Duration, after settling: Duration, each: (inout BandwidthSimulation) -> Void = { _ in }
    ) {
        run(settling, each: each)
        measurements = .init(repeating: .init(), count: calls.count)
        measuredFrom = now
        run(duration, each: each)
    }

    func target(_ call: Int = 0) -> Double {
        calls[call].sender.target
    }

    /// What arrived of a call in the last `measure`, in bits a second.
    func throughput(_ call: Int = 0) -> Double {
        Double(measurements[call].deliveredByteCount * 8) / (now - measuredFrom).seconds
    }

    /// Runs for so long; `each` is called every 100 ms.
    mutating func run(_ duration: Duration, each: (inout BandwidthSimulation) -> Void = { _ in }) {
        let end = now + duration
        var nextCall = now + .milliseconds(100)
        while true {
            step()
            let next = max(nextEvent ?? end, now + .microseconds(1))
            while nextCall <= min(next, end) {
                now = max(now, nextCall)
                each(&self)
                nextCall += .milliseconds(100)
            }
            guard next < end else { break }
            now = next
        }
        now = end
    }

    private var nextEvent: MonoTime? {
        var next = earlier(path.nextEvent, reno?.deadline)
        if backwardHead < backward.count { next = earlier(next, backward[backwardHead].due) }
        for index in calls.indices { next = earlier(next, calls[index].deadline) }
        return next
    }

    private mutating func step() {
        for index in calls.indices where calls[index].deadline.map({ $0 <= now }) ?? false { advance(call: index) }
        if reno != nil { advanceReno() }
        while let delivery = path.dequeue(at: now) { deliver(delivery) }
        while backwardHead < backward.count, backward[backwardHead].due <= now {
            takeBack(backward[backwardHead])
            backwardHead += 1
            guard backwardHead > 256 else { continue }
            backward.removeSubrange(..<backwardHead)
            backwardHead = 0
        }
    }

    private mutating func advance(call index: Int) {
        var leaving: [PathPacket] = []
        calls[index].advance(at: now) { number, byteCount in
            leaving.append(PathPacket(flow: index, number: Int(number.rawValue), byteCount: byteCount))
        }
        measurements[index].sentCount += leaving.count
        for packet in leaving { path.enqueue(packet, at: now) }
        guard let due = calls[index].recorder.deadline, due <= now else { return }
        for feedback in calls[index].recorder.makeFeedback(at: now) where feedbackPasses {
            let bytes = RTCPCompound([.transportFeedback(feedback)]).bytes
            backward.append((now + path.delay, index, 0, bytes))
        }
    }

    private mutating func advanceReno() {
        reno?.tick(at: now)
        for number in reno?.takeSegments(at: now) ?? 0..<0 {
            path.enqueue(PathPacket(flow: calls.count, number: number, byteCount: RenoFlow.segmentByteCount), at: now)
        }
    }

    private mutating func deliver(_ delivery: Bottleneck.Delivery) {
        let packet = delivery.packet
        guard calls.indices.contains(packet.flow) else {
            backward.append((now + path.delay, nil, packet.number, []))
            return
        }
        measurements[packet.flow].deliveredCount += 1
        measurements[packet.flow].deliveredByteCount += packet.byteCount
        measurements[packet.flow].queueTimes.append(delivery.queueTime.milliseconds)
        calls[packet.flow].recorder.receive(
            SequenceNumber(UInt16(packet.number)), of: SSRC(1), byteCount: packet.byteCount, at: now)
    }

    private mutating func takeBack(_ item: (due: MonoTime, call: Int?, number: Int, bytes: [UInt8])) {
        guard let call = item.call else {
            reno?.acknowledge(item.number, at: now)
            return
        }
        guard let compound = try? RTCPCompound(parsing: item.bytes.span.bytes) else { return }
        for case .transportFeedback(let feedback) in compound.packets {
            let time = now
            _ = calls[call].sender.update { $0.receive(feedback, at: time) }
        }
    }
}
