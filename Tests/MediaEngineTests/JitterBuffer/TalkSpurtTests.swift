import MediaEngine
import Primitives
import Testing

/// Short talk spurts, with nothing sent between them, over a link whose delay varies.
@Suite struct TalkSpurtTests {
    @Test(arguments: [20, 30, 40], [UInt64(1), 2])
    func shortSpurtsAreHeardFromTheirOnsetAtABoundedDelay(jitter: Int, seed: UInt64) {
        var conditions = LossyLink.Conditions()
        conditions.delay = .milliseconds(130)
        conditions.jitter = .milliseconds(jitter)
        let rig = ReceiverRig(toneHz: 440, conditions, seed: seed)
        var random = SplitMix64(seed: seed)
        var delays: [Float] = []
        var targets: [Float] = []
        for _ in 0..<80 {
            rig.sending.isMuted = false
            rig.settle(seconds: 0.1 + 0.3 * random.unit())
            delays.append(rig.statistics.currentDelayMilliseconds)
            rig.sending.isMuted = true
            rig.settle(seconds: 0.2 + 0.6 * random.unit())
            targets.append(rig.statistics.targetDelayMilliseconds)
        }
        let statistics = rig.statistics
        #expect(statistics.packetsDiscarded == 0 && statistics.packetsLost == 0, "every packet is played")
        #expect(Double(statistics.concealedSamples) / Double(rig.sentCount * 960) < 0.008)
        // The link's delays lie within six deviations.
        #expect(delays.allSatisfy { $0 < Float(6 * jitter + 20) }, "\(delays.max() ?? 0) ms")
        #expect(targets.allSatisfy { $0 < Float(5 * jitter + 10) }, "\(targets.max() ?? 0) ms")
        #expect(targets[79] < targets[40] + 20, "it has settled")
    }
}
