import MediaEngine
import Primitives
import Testing

@Suite struct ExpectedLossPolicyTests {
    /// A listener that reports each second on 50 packets, each lost with the given probability.
    private struct Listener {
        var random: SplitMix64

        mutating func report(loss: Double) -> LossBucket {
            var bucket = LossBucket()
            bucket.expected = 50
            bucket.lost = Int64((0..<50).count { _ in random.unit() < loss })
            return bucket
        }
    }

    private func at(_ second: Int) -> MonoTime {
        .zero + .seconds(second)
    }

    private func exact(_ lost: Int64, of expected: Int64 = 100) -> LossBucket {
        var bucket = LossBucket()
        bucket.expected = expected
        bucket.lost = lost
        return bucket
    }

    @Test func nothingIsSpentWithoutLoss() {
        var policy = ExpectedLossPolicy<Int>()
        #expect(policy.expectedLossPercent(at: at(0)) == 0)
        for second in 0..<120 {
            policy.report(exact(0), from: 1, at: at(second))
            #expect(policy.expectedLossPercent(at: at(second)) == 0)
        }
    }

    @Test(arguments: [(0.02, 4.0), (0.04, 8), (0.1, 10), (0.2, 10)])
    func theEncoderIsToldTwiceTheLoss(loss: Double, wanted: Double) {
        var policy = ExpectedLossPolicy<Int>()
        var listener = Listener(random: SplitMix64(seed: 9))
        var told: [Double] = []
        for second in 0..<120 {
            policy.report(listener.report(loss: loss), from: 1, at: at(second))
            let percent = policy.expectedLossPercent(at: at(second))
            if second >= 10 { told.append(Double(percent)) }
        }
        let mean = told.reduce(0, +) / Double(told.count)
        #expect(abs(mean - wanted) < 1)
        #expect(told.allSatisfy { (wanted * 0.4...10).contains($0) })
    }

    @Test func theWorstListenerCounts() {
        var policy = ExpectedLossPolicy<String>()
        for second in 0..<12 {
            policy.report(exact(2), from: "bob", at: at(second))
            policy.report(exact(4), from: "chi", at: at(second))
            policy.report(exact(0), from: "dee", at: at(second))
        }
        #expect(policy.expectedLossPercent(at: at(11)) == 8)
        policy.remove("chi")
        #expect(policy.expectedLossPercent(at: at(11)) == 4)
    }

    @Test func aSuddenOnsetCountsWithinTwoSeconds() {
        var policy = ExpectedLossPolicy<Int>()
        for second in 0..<30 {
            policy.report(exact(0), from: 1, at: at(second))
        }
        policy.report(exact(10), from: 1, at: at(30))
        policy.report(exact(10), from: 1, at: at(31))
        #expect(policy.expectedLossPercent(at: at(31)) >= 8)
    }

    @Test func loneLossesAreNotOnset() {
        var policy = ExpectedLossPolicy<Int>()
        for second in 0..<60 {
            policy.report(exact(second % 10 == 0 ? 1 : 0, of: 50), from: 1, at: at(second))
            #expect(policy.expectedLossPercent(at: at(second)) == 0 || second < 10)
        }
    }

    @Test func itEndsWithinTenSecondsOfTheLoss() {
        var policy = ExpectedLossPolicy<Int>()
        for second in 0..<20 {
            policy.report(exact(10), from: 1, at: at(second))
        }
        #expect(policy.expectedLossPercent(at: at(19)) == 10)
        var told: [Int] = []
        for second in 20..<31 {
            policy.report(exact(0), from: 1, at: at(second))
            told.append(policy.expectedLossPercent(at: at(second)))
        }
        #expect(told == told.sorted(by: >))
        #expect(told.last == 0)
    }

    @Test func whoFallsSilentHasNoSay() {
        var policy = ExpectedLossPolicy<Int>()
        for second in 0..<20 {
            policy.report(exact(10), from: 1, at: at(second))
        }
        _ = policy.expectedLossPercent(at: at(19))
        #expect(policy.expectedLossPercent(at: at(30)) == 0)
    }

    @Test func smallMovesAreNotTold() {
        var policy = ExpectedLossPolicy<Int>()
        for (seconds, lost, told) in [(0..<20, Int64(30), 6), (20..<40, 34, 6), (40..<60, 36, 7)] {
            for second in seconds {
                policy.report(exact(lost, of: 1000), from: 1, at: at(second))
            }
            #expect(policy.expectedLossPercent(at: at(seconds.upperBound - 1)) == told)
        }
    }
}
