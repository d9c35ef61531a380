import Testing

@testable import MediaEngine

@Suite struct StatisticsCounterTests {
    @Test func concealmentOfAKnownLossCountsAtOnce() {
        var counter = StatisticsCounter()
        counter.conceal(960, isSilent: false, isCertain: true)
        #expect(counter.values.concealedSamples == 960)
        #expect(counter.values.concealmentEvents == 1)
    }

    @Test func concealmentBeforeAPauseIsNotCounted() {
        var counter = StatisticsCounter()
        for _ in 0..<50 { counter.conceal(960, isSilent: true, isCertain: false) }
        counter.endConcealment(asPause: true)
        #expect(counter.values == AudioReceiverStatistics())
    }

    @Test func concealmentBeforeALatePacketIsCountedWhenItComes() {
        var counter = StatisticsCounter()
        counter.conceal(960, isSilent: false, isCertain: false)
        counter.conceal(960, isSilent: true, isCertain: false)
        #expect(counter.values.concealedSamples == 0)
        counter.endConcealment(asPause: false)
        #expect(counter.values.concealedSamples == 1920)
        #expect(counter.values.silentConcealedSamples == 960)
        #expect(counter.values.concealmentEvents == 1)
        #expect(counter.values.interruptionCount == 0)
    }

    @Test func whatIsTakenBackIsNotCounted() {
        var counter = StatisticsCounter()
        counter.conceal(960, isSilent: false, isCertain: false)
        counter.retract(480)
        counter.endConcealment(asPause: false)
        #expect(counter.values.concealedSamples == 480)
    }

    @Test func aConcealmentOfOneHundredAndFiftyMillisecondsIsAnInterruption() {
        var counter = StatisticsCounter()
        for _ in 0..<8 { counter.conceal(900, isSilent: false, isCertain: true) }
        counter.endConcealment(asPause: false)
        #expect(counter.values.interruptionCount == 1)
        counter.conceal(7199, isSilent: false, isCertain: true)
        counter.endConcealment(asPause: false)
        #expect(counter.values.interruptionCount == 1)
        #expect(counter.values.concealmentEvents == 2)
    }

    @Test func theExpandRateIsThatOfTheLastSecond() {
        var counter = StatisticsCounter()
        let frame = [Float](repeating: 0.5, count: 480)
        for index in 0..<100 {
            if index % 4 == 0 { counter.conceal(480, isSilent: false, isCertain: true) }
            frame.withUnsafeBufferPointer { counter.play($0, delay: 0, target: 0, starved: 0) }
        }
        #expect(abs(counter.values.expandRate - 0.25) < 0.001)
        #expect(abs(counter.values.levelDBov + 6.02) < 0.01)
    }
}
