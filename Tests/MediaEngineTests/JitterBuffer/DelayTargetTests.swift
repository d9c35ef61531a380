import Testing

@testable import MediaEngine

@Suite struct DelayTargetTests {
    private func milliseconds(_ value: Int) -> Int {
        value * SampleTime.perMillisecond
    }

    /// A target after packets of 20 ms with these delays in milliseconds.
    private func target(_ delays: [Int], reordered: (Int) -> Bool = { _ in false }) -> DelayTarget {
        var target = DelayTarget(AudioReceiverSettings())
        for (index, delay) in delays.enumerated() {
            target.record(
                delay: milliseconds(delay), isReordered: reordered(index), at: milliseconds(20) * index)
        }
        target.update(packetSampleCount: 960)
        return target
    }

    @Test func itStartsAtTwoFrames() {
        #expect(target([]).samples == milliseconds(20))
    }

    @Test func anEvenStreamNeedsOneFrame() {
        #expect(target([Int](repeating: 0, count: 500)).samples == milliseconds(10))
    }

    @Test func aSpreadOfFortyMillisecondsIsCovered() {
        let spread = target((0..<1000).map { $0 * 7 % 41 })
        #expect(milliseconds(40)...milliseconds(55) ~= spread.samples)
    }

    /// Spurts of 200 ms, each after a pause of a second.
    private func spurts(_ delays: [Int]) -> DelayTarget {
        var target = DelayTarget(AudioReceiverSettings())
        for (index, delay) in delays.enumerated() {
            if index % 10 == 0 { target.pauseInterval() }
            let arrival = milliseconds(20) * index + milliseconds(1000) * (index / 10)
            target.record(delay: milliseconds(delay), isReordered: false, at: arrival)
        }
        target.update(packetSampleCount: 960)
        return target
    }

    @Test func shortTalkSpurtsAreMeasuredTogether() {
        #expect(spurts([Int](repeating: 0, count: 20)).samples == milliseconds(20))
        #expect(spurts([Int](repeating: 0, count: 40)).samples == milliseconds(10))
        let spread = spurts((0..<1000).map { $0 * 7 % 41 })
        #expect(milliseconds(40)...milliseconds(55) ~= spread.samples)
    }

    @Test func theFirstSecondsFollowTheLargestDelay() {
        #expect(target([0, 0, 60, 0]).samples >= milliseconds(60))
        #expect(target([0, 0, 900, 0]).samples <= milliseconds(110))
    }

    @Test func aLaterOutlierDoesNotRaiseIt() {
        var delays = [Int](repeating: 0, count: 500)
        delays[400] = 300
        #expect(target(delays).samples == milliseconds(10))
    }

    @Test func aBurstAfterAStallIsOneOutlier() {
        var target = target([Int](repeating: 0, count: 424))
        for index in 0..<10 {
            target.record(
                delay: milliseconds(200 - 20 * index), isReordered: false, at: milliseconds(20) * 434)
        }
        for index in 435..<500 { target.record(delay: 0, isReordered: false, at: milliseconds(20) * index) }
        target.update(packetSampleCount: 960)
        #expect(target.samples == milliseconds(10))
    }

    @Test func itStaysWithinItsBounds() {
        #expect(target([Int](repeating: 0, count: 300) + (0..<600).map { $0 % 2 * 3000 }).samples == milliseconds(500))
    }

    @Test func rareReorderingIsNotWaitedFor() {
        let delays = (0..<3000).map { $0 % 500 == 499 ? 60 : 0 }
        #expect(target(delays) { delays[$0] > 0 }.samples == milliseconds(10))
    }

    @Test func frequentReorderingIsWaitedFor() {
        let delays = (0..<3000).map { $0 % 10 == 9 ? 60 : 0 }
        #expect(target(delays) { delays[$0] > 0 }.samples >= milliseconds(60))
    }

    @Test func redundancyIsWaitedForWhileLossIsRecent() {
        var target = target([Int](repeating: 0, count: 500))
        target.recordReceived(redundancyDepth: 1)
        target.recordPlayed(lostCount: 1)
        target.update(packetSampleCount: 960)
        #expect(target.samples == milliseconds(30))
        for _ in 0..<1001 {
            target.recordReceived(redundancyDepth: 1)
            target.recordPlayed(lostCount: 0)
        }
        target.update(packetSampleCount: 960)
        #expect(target.samples == milliseconds(10))
    }

    @Test func whereCopiesMendEveryLossTheyAreWaitedForOnAndOn() {
        var target = target([Int](repeating: 0, count: 500))
        for index in 0..<3000 {
            target.recordReceived(redundancyDepth: 1)
            if index % 20 == 0 { target.recordRepaired() }
            target.recordPlayed(lostCount: 0)
        }
        target.update(packetSampleCount: 960)
        #expect(target.samples == milliseconds(30))
    }

    @Test func lossWithoutRedundancyRaisesItForTheFirstSecondsOnly() {
        var target = target([Int](repeating: 0, count: 500))
        for (packetCount, wanted) in [(100, 30), (150, 10), (100, 10)] {
            for _ in 0..<packetCount {
                target.recordReceived(redundancyDepth: 0)
                target.recordPlayed(lostCount: 1)
            }
            target.update(packetSampleCount: 960)
            #expect(target.samples == milliseconds(wanted))
        }
    }
}
