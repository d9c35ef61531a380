import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct LossHistoryTests {
    private func at(_ seconds: Double) -> MonoTime {
        .zero + .fractional(seconds: seconds)
    }

    private func bucket(expected: Int64, lost: Int64) -> LossBucket {
        var bucket = LossBucket()
        bucket.expected = expected
        bucket.lost = lost
        return bucket
    }

    @Test func windowHasTheLastTenSeconds() {
        var history = LossHistory(at: .zero)
        for second in 0..<30 {
            history.record(bucket(expected: 50, lost: second < 20 ? 50 : 5), at: at(Double(second)))
        }
        #expect(history.window(at: at(29.5)).expected == 500)
        #expect(history.window(at: at(29.5)).lossRatio == 0.1)
        #expect(history.window(at: at(31)).expected == 400)
        #expect(history.window(at: at(45)).lossRatio == nil)
        #expect(history.window(seconds: 60, at: at(29.5)).expected == 1500)
    }

    @Test func secondsAreOldestFirstAndUnknownOnesStayUnknown() {
        var history = LossHistory(at: .zero)
        history.record(bucket(expected: 50, lost: 25), at: at(0.2))
        history.record(bucket(expected: 50, lost: 0), at: at(0.9))
        history.record(bucket(expected: 10, lost: 10), at: at(3))
        let seconds = history.seconds(at: at(4))
        #expect(seconds.count == LossHistory.secondCount)
        #expect(seconds.suffix(5).map(\.lossRatio) == [0.25, nil, nil, 1, nil])
    }

    @Test(arguments: [60.0, 61, 119, 120, 500, 100_000])
    func aLongPauseForgetsEverything(seconds: Double) {
        var history = LossHistory(at: .zero)
        for second in 0..<60 {
            history.record(bucket(expected: 50, lost: 50), at: at(Double(second)))
        }
        history.record(bucket(expected: 1, lost: 0), at: at(59 + seconds))
        #expect(history.window(seconds: 60, at: at(59 + seconds)).expected == 1)
    }

    @Test func lossThatTurnsOutLateIsTakenBack() {
        var history = LossHistory(at: .zero)
        history.record(bucket(expected: 50, lost: 4), at: at(0))
        history.record(bucket(expected: 0, lost: -4), at: at(1))
        #expect(history.window(at: at(1)).lossRatio == 0)
    }

    @Test func bucketsAreTheStepsOfTheCounters() {
        var stream = RTPReceiveStream(clockRateHz: 48_000)
        let before = stream.counters
        for number in [0, 1, 3, 4] {
            _ = stream.receive(
                .init(
                    payloadType: .init(111), sequenceNumber: .init(UInt16(number)), timestamp: 0, ssrc: .init(1)),
                payloadByteCount: 1, at: .zero)
        }
        let step = LossBucket(from: before, to: stream.counters)
        #expect(step.expected == 5)
        #expect(step.lost == 1)
    }

    @Test func ratiosAreKnownOnlyOfSomething() {
        var bucket = LossBucket()
        #expect(bucket.lossRatio == nil)
        #expect(bucket.concealedRatio == nil)
        #expect(bucket.meanBurst == nil)
        bucket.playedSamples = 1000
        bucket.concealedSamples = 21
        bucket.lossRuns = 5
        bucket.lostInRuns = 12
        #expect(bucket.concealedRatio == 0.021)
        #expect(bucket.meanBurst == 2.4)
    }
}
