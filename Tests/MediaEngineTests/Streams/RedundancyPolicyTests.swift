import MediaEngine
import Primitives
import Testing

@Suite struct RedundancyPolicyTests {
    private func at(_ second: Int) -> MonoTime {
        .zero + .seconds(second)
    }

    /// A second's packets, of which this share is lost in runs of `burst`.
    private func bucket(_ percent: Int64, burst: Int64 = 1) -> LossBucket {
        var bucket = LossBucket()
        bucket.expected = 100
        bucket.lost = percent
        bucket.lostInRuns = percent
        bucket.lossRuns = percent / burst
        return bucket
    }

    private func run(
        _ policy: inout RedundancyPolicy, _ bucket: LossBucket, from: Int, seconds: Int, isCongested: Bool = false
    ) -> [Int] {
        (from..<from + seconds).map { second in
            policy.report(bucket, at: at(second))
            policy.update(isCongested: isCongested, at: at(second))
            return policy.copies
        }
    }

    @Test(arguments: [(0, 1, 0), (4, 1, 0), (4, 2, 0), (8, 1, 1), (8, 2, 2), (20, 1, 2), (20, 2, 2)])
    func copiesFollowTheLossAndItsBursts(percent: Int64, burst: Int64, copies: Int) {
        var policy = RedundancyPolicy(at: .zero)
        #expect(run(&policy, bucket(percent, burst: burst), from: 0, seconds: 30).last == copies)
    }

    /// Opus' own redundancy repairs single losses, and costs less.
    @Test(arguments: [(8, 1, 0), (8, 2, 2), (20, 1, 2)])
    func oneCopyIsForWhoCanUseNoOther(percent: Int64, burst: Int64, copies: Int) {
        var policy = RedundancyPolicy(at: .zero)
        policy.hasInbandRedundancy = true
        #expect(run(&policy, bucket(percent, burst: burst), from: 0, seconds: 30).last == copies)
    }

    @Test func nothingIsRepeatedWithoutLoss() {
        var policy = RedundancyPolicy(at: .zero)
        #expect(run(&policy, bucket(0), from: 0, seconds: 100).allSatisfy { $0 == 0 })
        policy.update(isCongested: false, at: at(200))
        #expect(policy.copies == 0)
    }

    /// Of a minute with a tenth lost by chance, some seconds lose twice as much, and some packets in a row.
    @Test func chanceAloneIsNoReasonForCopies() {
        var changes = 0
        for seed in 1...20 {
            var generator = SplitMix64(seed: UInt64(seed))
            var policy = RedundancyPolicy(at: .zero)
            policy.hasInbandRedundancy = true
            for second in 0..<60 {
                let isLost = (0..<50).map { _ in generator.unit() < 0.1 }
                var bucket = LossBucket()
                bucket.expected = 50
                bucket.lost = Int64(isLost.count { $0 })
                bucket.lostInRuns = bucket.lost
                bucket.lossRuns = Int64(zip(isLost, [false] + isLost).count { $0 && !$1 })
                changes += run(&policy, bucket, from: second, seconds: 1)[0] > 0 ? 1 : 0
            }
        }
        // Of 1,200 seconds.
        #expect(changes <= 20, "\(changes)")
    }

    @Test func lossThatBeginsIsAnsweredWithinThreeSeconds() {
        var policy = RedundancyPolicy(at: .zero)
        _ = run(&policy, bucket(0), from: 0, seconds: 30)
        #expect(run(&policy, bucket(20), from: 30, seconds: 3).last == 2)
    }

    @Test func copiesEndAfterTheLossAndNotBefore() {
        var policy = RedundancyPolicy(at: .zero)
        _ = run(&policy, bucket(8), from: 0, seconds: 30)
        // Hysteresis: a little less is no reason to stop.
        #expect(run(&policy, bucket(5), from: 30, seconds: 30).allSatisfy { $0 == 1 })
        let after = run(&policy, bucket(0), from: 60, seconds: 15)
        #expect(after.first == 1)
        #expect(after.last == 0)
    }

    @Test func copiesAreNotSwitchedOnAndOffEachMoment() {
        var policy = RedundancyPolicy(at: .zero)
        let copies = (0..<120).map { second in
            run(&policy, bucket(second / 5 % 2 == 0 ? 3 : 8), from: second, seconds: 1)[0]
        }
        #expect(zip(copies, copies.dropFirst()).count { $0 != $1 } <= 4)
    }

    @Test func congestionDropsThemAtOnce() {
        var policy = RedundancyPolicy(at: .zero)
        _ = run(&policy, bucket(20), from: 0, seconds: 11)
        #expect(run(&policy, bucket(20), from: 11, seconds: 5, isCongested: true).allSatisfy { $0 == 0 })
        #expect(run(&policy, bucket(20), from: 16, seconds: 2).last == 2)
    }

    @Test func lossConcernsThePolicyWhileItIsFresh() {
        var policy = RedundancyPolicy(at: .zero)
        #expect(!policy.isConcerned(at: at(0)))
        _ = run(&policy, bucket(1), from: 0, seconds: 1)
        #expect(policy.isConcerned(at: at(5)) && !policy.isConcerned(at: at(15)))
    }

    @Test func repeatedFramesLeaveRoomForTheirCopies() {
        var settings = AudioEncoderSettings()
        #expect(RedundancyPolicy.settings(settings, copies: 0) == settings)
        let repeated = RedundancyPolicy.settings(settings, copies: 2)
        #expect(repeated.bitrateWithRedundancy * 3 <= 50_000)
        settings.bitrate = 6000
        #expect(RedundancyPolicy.settings(settings, copies: 1).bitrate == 6000)
    }
}
