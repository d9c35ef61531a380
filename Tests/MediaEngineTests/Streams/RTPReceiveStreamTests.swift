import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct RTPReceiveStreamTests {
    /// Hands `numbers` to `stream`, 20 ms apart.
    @discardableResult
    private func receive(
        _ numbers: [Int], ssrc: UInt32 = 1, from start: MonoTime = .zero, _ stream: inout RTPReceiveStream
    ) -> [RTPReceiveStream.Reception] {
        numbers.enumerated().map { index, number in
            let header = RTPHeader(
                payloadType: PayloadType(111), sequenceNumber: SequenceNumber(UInt16(truncatingIfNeeded: number)),
                timestamp: UInt32(truncatingIfNeeded: number * 960), ssrc: SSRC(ssrc))
            return stream.receive(header, payloadByteCount: 10, at: start + .milliseconds(20 * index))
        }
    }

    private func makeStream(probation: Int = 0) -> RTPReceiveStream {
        RTPReceiveStream(clockRateHz: 48_000, probationCount: probation)
    }

    @Test func numbersAreExtendedAcrossTheWrap() {
        var stream = makeStream()
        let receptions = receive([65_534, 65_535, 0, 1], &stream)
        #expect(
            receptions == [
                .restarted(sequence: 65_534), .accepted(sequence: 65_535), .accepted(sequence: 65_536),
                .accepted(sequence: 65_537),
            ])
        #expect(stream.makeReportBlock(at: .zero)?.highestSequence == 65_537)
    }

    @Test func missingPacketsAreLostUntilTheyCome() {
        var stream = makeStream()
        receive([10, 11, 14], &stream)
        #expect(stream.counters.lostCount == 2)
        #expect(receive([12], &stream) == [.accepted(sequence: 12)])
        #expect(stream.counters.lostCount == 1)
        #expect(stream.counters.reorderedCount == 1)
    }

    @Test func packetFromBeforeTheFirstIsNoDuplicate() {
        var stream = makeStream()
        #expect(receive([11, 10, 12, 10], &stream).last == .dropped(.duplicate))
        #expect(stream.counters.expectedCount == 3)
        #expect(stream.counters.receivedCount == 3)
        #expect(stream.counters.lostCount == 0)
    }

    @Test func duplicatesHideNoLoss() {
        var stream = makeStream()
        let receptions = receive([1, 2, 2, 2, 4], &stream)
        #expect(receptions[2] == .dropped(.duplicate))
        #expect(stream.counters.duplicateCount == 2)
        #expect(stream.counters.lostCount == 1)
        #expect(stream.counters.payloadByteCount == 30)
    }

    @Test func fractionIsThatOfTheTimeSinceTheLastReport() {
        var stream = makeStream()
        receive([0, 1, 2, 4], &stream)
        #expect(stream.makeReportBlock(at: .zero)?.fractionLost == UInt8(256 / 5))
        receive([5, 6, 7, 8], &stream)
        let second = stream.makeReportBlock(at: .zero)
        #expect(second?.fractionLost == 0)
        #expect(second?.cumulativeLost == 1)
        receive([16], &stream)
        #expect(stream.makeReportBlock(at: .zero)?.fractionLost == UInt8(7 * 256 / 8))
    }

    @Test func fractionIsNeverNegative() {
        var stream = makeStream()
        receive([0, 5], &stream)
        _ = stream.makeReportBlock(at: .zero)
        receive([1, 2, 3, 4], &stream)
        let block = stream.makeReportBlock(at: .zero)
        #expect(block?.fractionLost == 0)
        #expect(block?.cumulativeLost == 0)
    }

    @Test func oneWildNumberIsDroppedAndTwoInOrderAreARestart() {
        var stream = makeStream()
        let receptions = receive([100, 101, 40_000, 102, 50_000, 50_001, 50_002], &stream)
        #expect(receptions[2] == .dropped(.implausible))
        #expect(receptions[3] == .accepted(sequence: 102))
        #expect(receptions[4] == .dropped(.implausible))
        #expect(receptions[5] == .restarted(sequence: 50_001))
        #expect(receptions[6] == .accepted(sequence: 50_002))
        #expect(stream.counters.restartCount == 1)
        #expect(stream.counters.lostCount == 0)
    }

    @Test(arguments: [
        // (step, is it taken?)
        (2999, true), (3000, false), (-100, true), (-101, false),
    ])
    func stepsAreTakenWithinTheBoundsOfTheStandard(step: Int, isTaken: Bool) {
        var stream = makeStream()
        let last = receive([10_000, 10_000 + step], &stream).last
        #expect((last == .accepted(sequence: Int64(10_000 + step))) == isTaken)
    }

    @Test func newSourceStartsAnewAndStragglersOfTheOldAreDropped() {
        var stream = makeStream()
        receive([1, 2, 4], ssrc: 1, &stream)
        #expect(receive([500], ssrc: 2, &stream) == [.restarted(sequence: 500)])
        #expect(receive([5], ssrc: 1, &stream) == [.dropped(.formerSource)])
        #expect(stream.ssrc == SSRC(2))
        #expect(stream.makeReportBlock(at: .zero)?.source == SSRC(2))
        #expect(stream.counters.lostCount == 1)
        #expect(stream.counters.expectedCount == 5)
        let later = MonoTime.zero + .seconds(3)
        #expect(receive([900], ssrc: 1, from: later, &stream) == [.restarted(sequence: 900)])
    }

    @Test func probationWantsPacketsInOrder() {
        var stream = makeStream(probation: 2)
        let receptions = receive([10, 20, 21, 22], &stream)
        #expect(receptions[0] == .dropped(.probation))
        #expect(receptions[1] == .dropped(.probation))
        #expect(receptions[2] == .restarted(sequence: 21))
        #expect(receptions[3] == .accepted(sequence: 22))
        #expect(stream.counters.lostCount == 0)
    }

    @Test func nothingIsReportedBeforeAnythingCame() {
        var stream = makeStream()
        #expect(stream.makeReportBlock(at: .zero) == nil)
        #expect(stream.lastReceived == nil)
    }

    @Test func jitterOfASteadyStreamIsNothingAndOfAnAlternatingOneIsItsStep() {
        var steady = makeStream()
        receive(Array(0..<500), &steady)
        #expect(steady.jitterDuration == .zero)
        var shaken = makeStream()
        for number in 0..<500 {
            receive([number], from: .zero + .milliseconds(20 * number + (number % 2) * 10), &shaken)
        }
        #expect(abs(shaken.jitterDuration.milliseconds - 10) < 0.1)
    }

    @Test func jitterIgnoresANewTimestampOrigin() {
        var stream = makeStream()
        receive([0, 1, 2], &stream)
        let header = RTPHeader(
            payloadType: PayloadType(0), sequenceNumber: SequenceNumber(3), timestamp: 0x9000_0000, ssrc: SSRC(1))
        _ = stream.receive(header, payloadByteCount: 1, at: .zero + .milliseconds(60))
        #expect(stream.jitterDuration == .zero)
    }

    @Test func delaySinceTheSenderReportIsTold() {
        var stream = makeStream()
        receive([0], &stream)
        let report = SenderReport(
            sender: SSRC(1), ntp: NTPTime(bits: 0x1122_3344_5566_7788), rtpTimestamp: 0, packetCount: 1, byteCount: 1)
        stream.receive(report, at: .zero)
        let block = stream.makeReportBlock(at: .zero + .milliseconds(500))
        #expect(block?.lastSenderReport == 0x3344_5566)
        #expect(block?.delaySinceLastSenderReport == 0x8000)
    }

    @Test func reportsOfOtherSourcesAreNotTaken() {
        var stream = makeStream()
        receive([0], &stream)
        stream.receive(
            SenderReport(sender: SSRC(9), ntp: NTPTime(bits: 1), rtpTimestamp: 0, packetCount: 0, byteCount: 0),
            at: .zero)
        #expect(stream.lastSenderReport == nil)
    }

    @Test func lossesInARowAreOneRun() {
        var stream = makeStream()
        let lost: Set<Int> = [10, 11, 12, 30, 50, 51]
        receive((0..<200).filter { !lost.contains($0) }, &stream)
        #expect(stream.counters.lossRunCount == 3)
        #expect(stream.counters.lostInRunsCount == 6)
    }

    @Test func lateOnesAreNoRun() {
        var stream = makeStream()
        receive(Array(0..<50) + Array(52..<60) + [51, 50] + Array(60..<200), &stream)
        #expect(stream.counters.lossRunCount == 0)
        #expect(stream.counters.reorderedCount == 2)
    }

    @Test func measuredLossIsThatOfTheLink() {
        var conditions = LossyLink.Conditions()
        conditions.loss = .bursty(rate: 0.08, burst: 2)
        conditions.jitter = .milliseconds(15)
        conditions.delay = .milliseconds(50)
        conditions.reorders = true
        conditions.duplication = 0.05
        var link = LossyLink(conditions, seed: 3)
        var stream = makeStream()
        for number in 0..<20_000 {
            link.enqueue([UInt8(number >> 8), UInt8(number & 255)], at: .zero + .milliseconds(20 * number))
        }
        while let due = link.nextDelivery, let datagram = link.dequeue(at: due) {
            receive([Int(datagram[0]) << 8 | Int(datagram[1])], from: due, &stream)
        }
        let ratio = Double(stream.counters.lostCount) / Double(stream.counters.expectedCount)
        #expect(abs(ratio - Double(link.lostCount) / 20_000) < 0.001)
        let burst = Double(stream.counters.lostInRunsCount) / Double(stream.counters.lossRunCount)
        #expect(abs(burst - 2) < 0.25)
        #expect(stream.counters.duplicateCount > 500)
    }

    /// Whatever the numbers, the counts agree with each other.
    @Test func countsAgreeWhateverComes() {
        var random = SplitMix64(seed: 77)
        var stream = makeStream()
        var number = 0
        for step in 0..<20_000 {
            number += Int.random(in: -120...120, using: &random)
            let ssrc: UInt32 = step / 5000 % 2 == 0 ? 1 : 2
            receive([number], ssrc: ssrc, from: .zero + .milliseconds(20 * step), &stream)
            #expect(stream.counters.expectedCount == stream.counters.receivedCount + stream.counters.lostCount)
            #expect(stream.counters.lostCount >= 0)
        }
    }
}
