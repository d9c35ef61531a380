import Primitives
import Testing

@Suite struct LossyLinkTests {
    private func run(_ conditions: LossyLink.Conditions, seed: UInt64, count: Int = 10_000) -> (lost: Int, runs: [Int])
    {
        var link = LossyLink(conditions, seed: seed)
        var received = Set<UInt32>()
        var now = MonoTime.zero
        for index in 0..<UInt32(count) {
            var writer = ByteWriter()
            writer.write(index)
            link.enqueue(writer.bytes, at: now)
            now += .milliseconds(20)
            while let datagram = link.dequeue(at: now) { received.insert(decode(datagram)) }
        }
        while let due = link.nextDelivery, let datagram = link.dequeue(at: due) { received.insert(decode(datagram)) }
        var runs: [Int] = []
        var current = 0
        for index in 0..<UInt32(count) {
            if received.contains(index) {
                if current > 0 { runs.append(current) }
                current = 0
            } else {
                current += 1
            }
        }
        return (count - received.count, runs)
    }

    private func decode(_ datagram: [UInt8]) -> UInt32 {
        datagram.reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test func aPerfectLinkLosesNothingAndKeepsOrder() {
        #expect(run(.init(), seed: 1).lost == 0)
    }

    @Test func theSameSeedLosesTheSameDatagrams() {
        var conditions = LossyLink.Conditions()
        conditions.loss = .random(rate: 0.1)
        #expect(run(conditions, seed: 7).runs == run(conditions, seed: 7).runs)
        #expect(run(conditions, seed: 7).runs != run(conditions, seed: 8).runs)
    }

    @Test func burstyLossHasItsRateAndItsBurstLength() {
        var conditions = LossyLink.Conditions()
        conditions.loss = .bursty(rate: 0.08, burst: 3)
        let result = run(conditions, seed: 3, count: 50_000)
        let mean = Double(result.runs.reduce(0, +)) / Double(result.runs.count)
        #expect(abs(Double(result.lost) / 50_000 - 0.08) < 0.01)
        #expect(abs(mean - 3) < 0.3)
    }

    @Test func theQueueDropsWhatTheBottleneckCannotCarry() {
        var conditions = LossyLink.Conditions()
        conditions.rateBitsPerSecond = 800  // 40 ms a datagram of 4 bytes, where one comes each 20 ms
        #expect(run(conditions, seed: 1, count: 1000).lost > 400)
    }
}
