import Devices
import Primitives
import Testing

/// The cap of 30 pictures a second, and every lower rate (Q48, Q49).
@Suite struct FrameRateGateTests {
    @Test(arguments: [(60, 30, 300), (30, 30, 300), (25, 30, 250), (30, 15, 150), (144, 30, 300), (50, 12, 120)])
    func theRateIsKept(source: Int, wanted: Int, expected: Int) {
        let count = admitted(source: source, gate: FrameRateGate(frameRate: wanted), jitter: .zero)
        #expect((expected - 2...expected + 1).contains(count), "\(count) of \(source) a second")
    }

    @Test func camerasThatComeUnevenlyLoseNothing() {
        let gate = FrameRateGate(frameRate: 30)
        #expect(admitted(source: 30, gate: gate, jitter: .milliseconds(7)) >= 295)
        #expect(admitted(source: 60, gate: gate, jitter: .milliseconds(4)) <= 301)
    }

    @Test func noSecondHasMoreThanTheCap() {
        var gate = FrameRateGate(frameRate: 30)
        var random = SplitMix64(seed: 3)
        var time = MonoTime.zero
        var passed: [MonoTime] = []
        for _ in 0..<5000 {
            time += .microseconds(Int64.random(in: 100...40_000, using: &random))
            if gate.admits(time) { passed.append(time) }
        }
        for (index, start) in passed.enumerated() {
            let count = passed[index...].prefix { $0 < start + .seconds(1) }.count
            #expect(count <= 31)
        }
    }

    @Test func aClockThatWentBackIsFollowed() {
        var gate = FrameRateGate(frameRate: 10)
        let times = [100_000, 50_000, 50_000, 50_100].map { MonoTime.zero + .milliseconds($0) }
        let admitted = times.map { gate.admits($0) }
        #expect(admitted == [true, true, false, true])
    }

    private func admitted(source: Int, gate: FrameRateGate, jitter: Duration) -> Int {
        var gate = gate
        var random = SplitMix64(seed: 5)
        return (0..<10 * source).count { index in
            let swing = jitter == .zero ? 0 : Int64.random(in: -jitter.nanoseconds...jitter.nanoseconds, using: &random)
            return gate.admits(MonoTime(nanoseconds: 1_000_000_000 * Int64(index) / Int64(source) + swing))
        }
    }
}
