import MediaEngine
import Primitives
import Testing

@Suite struct PacerTests {
    private func at(_ milliseconds: Double) -> MonoTime {
        .zero + .fractional(seconds: milliseconds / 1000)
    }

    /// Runs until nothing waits. Returns what left, and when.
    private func drain(
        _ pacer: inout Pacer<String>, from start: MonoTime = .zero, until end: MonoTime = .zero + .seconds(10)
    ) -> [(what: String, byteCount: Int, at: MonoTime)] {
        var left: [(String, Int, MonoTime)] = []
        var now = start
        while now < end {
            while let departure = pacer.next(at: now) {
                switch departure {
                case .packet(let name, let byteCount, _): left.append((name, byteCount, now))
                case .padding(let byteCount, _): left.append(("padding", byteCount, now))
                }
            }
            guard let due = pacer.deadline else { break }
            now = max(due, now + .microseconds(10))
        }
        return left
    }

    @Test func packetsLeaveByTheirPriority() {
        var pacer = Pacer<String>(bitrate: 100_000)
        pacer.enqueue("redundancy", byteCount: 1000, priority: .redundancy, at: .zero)
        pacer.enqueue("video 1", byteCount: 1000, priority: .video, at: .zero)
        pacer.enqueue("video 2", byteCount: 1000, priority: .video, at: .zero)
        pacer.enqueue("retransmission", byteCount: 1000, priority: .retransmission, at: .zero)
        pacer.enqueue("audio", byteCount: 100, priority: .audio, at: .zero)
        #expect(
            drain(&pacer).map(\.what) == ["audio", "retransmission", "video 1", "video 2", "redundancy"])
        #expect(pacer.deadline == nil && pacer.queuedByteCount == 0)
    }

    @Test func aLargeFrameIsSpreadAtThePace() {
        var pacer = Pacer<String>(bitrate: 1_000_000)
        for _ in 0..<50 { pacer.enqueue("video", byteCount: 1000, priority: .video, at: .zero) }
        let left = drain(&pacer)
        #expect(abs((left.last?.at ?? .zero).nanoseconds - 392_000_000) < 10_000_000)
        // In no 20 ms more leaves than the pace gives, and one packet.
        for first in left.indices {
            let within = left[first...].prefix { $0.at - left[first].at < .milliseconds(20) }
            #expect(within.reduce(0) { $0 + $1.byteCount } <= 2500 + 1000)
        }
    }

    @Test func audioNeverWaitsAndIsPaidFor() {
        var pacer = Pacer<String>(bitrate: 200_000)
        for _ in 0..<20 { pacer.enqueue("video", byteCount: 1000, priority: .video, at: .zero) }
        var left: [(what: String, byteCount: Int, at: MonoTime)] = []
        for tick in 0..<30 {
            let now = at(Double(tick) * 20)
            pacer.enqueue("audio", byteCount: 150, priority: .audio, at: now)
            left += drain(&pacer, from: now, until: now + .milliseconds(20))
        }
        let audio = left.filter { $0.what == "audio" }
        #expect(audio.count == 30)
        #expect(audio.enumerated().allSatisfy { $1.at == at(Double($0) * 20) })
        let byteCount = left.filter { $0.at < at(500) }.reduce(0) { $0 + $1.byteCount }
        #expect((11_500...14_500).contains(byteCount))
    }

    @Test func whatWaitsLeavesInTimeHoweverSlowThePace() {
        var pacer = Pacer<String>(bitrate: 50_000)
        for _ in 0..<100 { pacer.enqueue("video", byteCount: 1000, priority: .video, at: .zero) }
        let left = drain(&pacer)
        #expect(left.count == 100)
        #expect((left.last?.at ?? .zero) <= .zero + .milliseconds(1100))
        #expect((left.last?.at ?? .zero) >= .zero + .milliseconds(800))
    }

    @Test func whatIsForgottenDoesNotLeave() {
        var pacer = Pacer<String>(bitrate: 100_000)
        pacer.enqueue("video", byteCount: 1000, priority: .video, at: .zero)
        pacer.enqueue("redundancy", byteCount: 1000, priority: .redundancy, at: .zero)
        pacer.removeAll(.video)
        #expect(drain(&pacer).map(\.what) == ["redundancy"])
        #expect(pacer.oldestWait == nil)
    }
}

@Suite struct PacedSenderTests {
    @Test func aProbeIsFilledUpWithPaddingAndNumbered() {
        var sender = PacedSender<Int>(CongestionController(BitrateLimits(start: 1_000_000), at: .zero))
        sender.update { $0.setProbing(true, at: .zero) }
        sender.enqueue(1, byteCount: 1200, priority: .video, at: .zero)
        var (now, numbers, padding): (MonoTime, [UInt16], Int) = (.zero, [], 0)
        while now < .zero + .milliseconds(90) {
            sender.tick(at: now)
            while let departure = sender.next(at: now) {
                numbers.append(departure.number.rawValue)
                if case .padding(let byteCount) = departure.content { padding += byteCount }
            }
            guard let due = sender.deadline else { break }
            now = max(due, now + .microseconds(10))
        }
        #expect(numbers == (0..<UInt16(numbers.count)).map { $0 })
        // 15 ms at 2.5 Mbit/s, which bounds three times the start.
        #expect((3_400...6_000).contains(padding))
    }
}
