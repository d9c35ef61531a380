import CAllocationCounter
import MediaEngine
import Primitives
import Testing

/// The whole receiver behind a simulated link.
@Suite struct AudioReceiverTests {
    private static let toneRoughness = Sound.roughness(ofToneHz: 440)

    private func conditions(
        delay: Int = 0, jitter: Int = 0, loss: LossyLink.Loss = .none, reorders: Bool = false
    ) -> LossyLink.Conditions {
        var conditions = LossyLink.Conditions()
        conditions.delay = .milliseconds(delay)
        conditions.jitter = .milliseconds(jitter)
        conditions.loss = loss
        conditions.reorders = reorders
        return conditions
    }

    private func concealedRatio(_ rig: ReceiverRig) -> Double {
        Double(rig.statistics.concealedSamples) / Double(rig.statistics.totalSamplesReceived)
    }

    // At rest

    @Test(arguments: [480, 960, 1920, 2880])
    func aPerfectLinkAddsAtMostTwentyMilliseconds(frameSampleCount: Int) {
        let rig = ReceiverRig(toneHz: 440)
        rig.sending.frameSampleCount = frameSampleCount
        rig.settle(seconds: 5)
        let sound = rig.run(seconds: 5)
        let statistics = rig.statistics
        #expect(statistics.currentDelayMilliseconds <= 20)
        #expect(statistics.jitterBufferDelaySeconds / Double(statistics.jitterBufferEmittedCount) <= 0.025)
        #expect(abs(Sound.frequency(of: sound) - 440) < 0.1)
        #expect(Sound.roughness(of: sound) < 1.1 * Self.toneRoughness)
        #expect(statistics.concealedSamples == 0)
    }

    @Test func nothingIsPlayedBeforeTheFirstPacket() {
        let rig = ReceiverRig(toneHz: 440)
        rig.sending.isMuted = true
        #expect(Sound.rms(rig.run(seconds: 1)) == 0)
        #expect(rig.statistics.totalSamplesReceived == 0)
    }

    @Test func aDeviceThatAsksTwiceAtOnceDoesNotRaiseTheTarget() {
        let rig = ReceiverRig(toneHz: 440)
        rig.pullsInPairs = true
        rig.settle(seconds: 3)
        let before = rig.statistics.concealedSamples
        let sound = rig.run(seconds: 10)
        #expect(rig.statistics.targetDelayMilliseconds <= 10)
        #expect(rig.statistics.concealedSamples == before)
        #expect(abs(Sound.frequency(of: sound) - 440) < 0.1)
    }

    @Test func theLevelIsThatOfTheSoundPlayed() {
        let rig = ReceiverRig(toneHz: 440)
        rig.settle(seconds: 1)
        #expect(abs(rig.statistics.levelDBov + 9) < 0.3)
    }

    // Jitter

    @Test func jitterRaisesTheTargetUntilFewPacketsAreLate() {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 60, jitter: 15), seed: 3)
        rig.settle(seconds: 20)
        let before = rig.statistics
        rig.settle(seconds: 30)
        let late = rig.statistics.concealedSamples - before.concealedSamples
        #expect(Double(late) / 1_440_000 < 0.01)
        #expect(25...80 ~= rig.statistics.targetDelayMilliseconds)
        #expect(abs(rig.statistics.currentDelayMilliseconds - rig.statistics.targetDelayMilliseconds) < 30)
    }

    @Test func jitterLeavesTheToneWithoutClicks() {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 60, jitter: 15), seed: 4)
        rig.settle(seconds: 5)
        let sound = rig.run(seconds: 20)
        #expect(abs(Sound.frequency(of: sound) - 440) < 1)
        #expect(Sound.roughness(of: sound) < 4 * Self.toneRoughness)
    }

    @Test func theTargetFallsAgainWhenTheLinkCalms() {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 60, jitter: 15), seed: 5)
        rig.settle(seconds: 20)
        #expect(rig.statistics.targetDelayMilliseconds > 25)
        rig.link.conditions.jitter = .zero
        rig.settle(seconds: 40)
        #expect(rig.statistics.targetDelayMilliseconds <= 15)
        #expect(rig.statistics.currentDelayMilliseconds <= 30)
    }

    @Test func reorderedPacketsAreWaitedForWhereTheyAreMany() {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 60, jitter: 12, reorders: true), seed: 6)
        rig.settle(seconds: 40)
        let before = rig.statistics
        rig.settle(seconds: 20)
        #expect(Double(rig.statistics.concealedSamples - before.concealedSamples) / 960_000 < 0.02)
    }

    // Loss

    @Test func aTenthOfThePacketsLostIsATenthOfTheSoundConcealed() {
        let rig = ReceiverRig(toneHz: 440, conditions(loss: .random(rate: 0.1)), seed: 7)
        let sound = rig.run(seconds: 60)
        let lost = Double(rig.link.lostCount) / Double(rig.link.enqueuedCount)
        #expect(abs(concealedRatio(rig) - lost) < 0.02)
        #expect(abs(Double(rig.statistics.packetsLost) - Double(rig.link.lostCount)) <= 3)
        #expect(abs(Sound.frequency(of: sound) - 440) < 1)
        #expect(Sound.roughness(of: sound) < 4 * Self.toneRoughness)
    }

    @Test func redundancyLeavesLittleToConceal() {
        let rig = ReceiverRig(toneHz: 440, conditions(loss: .random(rate: 0.1)), seed: 7)
        rig.sending.hasRedundancy = true
        rig.settle(seconds: 5)
        let before = rig.statistics
        rig.settle(seconds: 60)
        let statistics = rig.statistics
        #expect(Double(statistics.concealedSamples - before.concealedSamples) / 2_880_000 < 0.02)
        #expect(statistics.packetsRepaired > 200)
        #expect(statistics.fecPacketsDiscarded + statistics.packetsRepaired <= statistics.fecPacketsReceived)
        #expect(statistics.currentDelayMilliseconds < 50)
    }

    @Test func redundancyIsAwaitedBeforeTheFirstWord() {
        let rig = ReceiverRig(toneHz: 440, conditions(loss: .random(rate: 0.1)), seed: 7)
        rig.sending.isSilent = true
        rig.settle(seconds: 20)
        let before = rig.statistics
        (rig.sending.isSilent, rig.sending.hasRedundancy) = (false, true)
        rig.settle(seconds: 10)
        #expect(rig.statistics.insertedSamplesForDeceleration == before.insertedSamplesForDeceleration)
        #expect(rig.statistics.packetsRepaired > 30)
    }

    /// Of 10 % lost at random one copy leaves 1 %, two 0.1 %; of 20 % lost in twos two copies leave a quarter.
    @Test(arguments: [
        (1, LossyLink.Loss.random(rate: 0.1), 0.015), (2, .random(rate: 0.1), 0.006), (2, .random(rate: 0.2), 0.02),
        (2, .bursty(rate: 0.2, burst: 2), 0.07),
    ])
    func copiesRepairWhatIsLost(copyCount: Int, loss: LossyLink.Loss, residue: Double) {
        let rig = ReceiverRig(toneHz: 440, conditions(loss: loss), seed: 7)
        rig.sending.copyCount = copyCount
        rig.settle(seconds: 10)
        let before = rig.statistics
        let allocations = rig.allocationCount
        let sound = rig.run(seconds: 60)
        let statistics = rig.statistics
        #expect(Double(statistics.concealedSamples - before.concealedSamples) / 2_880_000 < residue)
        #expect(statistics.packetsRepaired > 200)
        #expect(statistics.fecPacketsDiscarded + statistics.packetsRepaired == statistics.fecPacketsReceived)
        #expect(statistics.packetsDuplicated == 0)
        #expect(statistics.currentDelayMilliseconds < Float(30 + 20 * copyCount))
        #expect(abs(Sound.frequency(of: sound) - 440) < 1)
        #expect(rig.allocationCount == allocations)
    }

    @Test func copiesCostNoDelayWithoutLoss() {
        let rig = ReceiverRig(toneHz: 440)
        rig.sending.copyCount = 2
        rig.settle(seconds: 60)
        #expect(rig.statistics.currentDelayMilliseconds <= 20)
        #expect(rig.statistics.concealedSamples == 0)
        #expect(rig.statistics.packetsRepaired == 0)
        #expect(rig.statistics.jitterMilliseconds < 1)
    }

    @Test func burstsAreConcealedAndDoNotRaiseTheDelay() {
        let rig = ReceiverRig(toneHz: 440, conditions(loss: .bursty(rate: 0.1, burst: 4)), seed: 8)
        rig.settle(seconds: 60)
        let lost = Double(rig.link.lostCount) / Double(rig.link.enqueuedCount)
        #expect(abs(concealedRatio(rig) - lost) < 0.03)
        #expect(rig.statistics.currentDelayMilliseconds < 50)
    }

    // Stalls

    @Test(arguments: [UInt64(1), 2, 3])
    func afterAStallOfThreeSecondsTheDelayIsBackWithinFive(seed: UInt64) {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 30, jitter: 3), seed: seed)
        rig.settle(seconds: 10)
        rig.link.conditions.delay = .seconds(3)
        rig.settle(seconds: 0.02)
        rig.link.conditions.delay = .milliseconds(30)
        var sound = rig.run(seconds: 3)
        sound += rig.run(seconds: 5)
        let statistics = rig.statistics
        #expect(statistics.currentDelayMilliseconds - statistics.targetDelayMilliseconds < 60)
        #expect(statistics.targetDelayMilliseconds < 60)
        #expect(statistics.interruptionCount == 1)
        #expect(Sound.roughness(of: sound) < 4 * Self.toneRoughness)
        let after = rig.run(seconds: 2)
        #expect(abs(Sound.frequency(of: after) - 440) < 1)
    }

    @Test func aShortStallIsCaughtUpWithoutAClick() {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 30), seed: 9)
        rig.settle(seconds: 5)
        rig.link.conditions.delay = .milliseconds(230)
        rig.settle(seconds: 0.02)
        rig.link.conditions.delay = .milliseconds(30)
        let sound = rig.run(seconds: 5)
        #expect(rig.statistics.currentDelayMilliseconds < 60)
        #expect(rig.statistics.packetsDiscarded == 0)
        #expect(Sound.roughness(of: sound) < 4 * Self.toneRoughness)
    }

    // Clocks

    @Test(arguments: [200.0, -200])
    func aDriftingSenderIsFollowed(partsPerMillion: Double) {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 20), seed: 10)
        rig.sending.driftPartsPerMillion = partsPerMillion
        rig.settle(seconds: 10)
        let before = rig.statistics
        let sound = rig.run(seconds: 300)
        let statistics = rig.statistics
        let ratio = Double(statistics.concealedSamples - before.concealedSamples) / Double(sound.count)
        #expect(ratio < 0.0005)
        #expect(statistics.currentDelayMilliseconds < 30)
        #expect(abs(Sound.frequency(of: sound) - 440) < 0.2)
        #expect(Sound.roughness(of: sound) < 1.5 * Self.toneRoughness)
        let stretched =
            partsPerMillion > 0
            ? statistics.removedSamplesForAcceleration : statistics.insertedSamplesForDeceleration
        #expect(abs(Double(stretched) - 48_000 * 310 * 200e-6) < 1500)
    }

    // Pauses

    @Test func aMutedSenderIsSilentAndLosesNothing() {
        let rig = ReceiverRig(toneHz: 440)
        rig.settle(seconds: 2)
        rig.sending.isMuted = true
        rig.settle(seconds: 2)
        #expect(Sound.rms(rig.run(seconds: 3)) == 0)
        rig.sending.isMuted = false
        let sound = rig.run(seconds: 2)
        #expect(rig.statistics.concealedSamples == 0)
        #expect(rig.statistics.packetsLost == 0)
        #expect(rig.statistics.currentDelayMilliseconds <= 20)
        #expect(Sound.roughness(of: sound) < 2 * Self.toneRoughness)
        #expect(Sound.rms(Array(sound.suffix(48_000))) > 0.3)
    }

    @Test func talkSpurtsKeepTheDelay() {
        let rig = ReceiverRig(toneHz: 440, conditions(delay: 30, jitter: 5), seed: 11)
        for _ in 0..<40 {
            rig.sending.isMuted = false
            rig.settle(seconds: 0.7)
            rig.sending.isMuted = true
            rig.settle(seconds: 0.9)
        }
        #expect(concealedRatio(rig) < 0.01)
        #expect(rig.statistics.targetDelayMilliseconds < 45)
        #expect(rig.statistics.currentDelayMilliseconds < 60)
    }

    // Streams

    @Test func aNewSourceStartsAfresh() {
        let rig = ReceiverRig(toneHz: 440)
        rig.settle(seconds: 2)
        rig.sending.ssrc = 8
        rig.sequence = 3
        rig.timestamp = 77
        let sound = rig.run(seconds: 3)
        #expect(rig.statistics.packetsLost == 0)
        #expect(rig.statistics.currentDelayMilliseconds <= 20)
        #expect(Sound.roughness(of: sound) < 4 * Self.toneRoughness)
        #expect(abs(Sound.frequency(of: Array(sound.suffix(96_000))) - 440) < 0.2)
    }

    @Test func anotherPayloadTypeIsDecodedByItsOwnDecoder() {
        let first = SignalDecoder { _ in 0.25 }
        let second = SignalDecoder { _ in -0.25 }
        let rig = ReceiverRig(decoders: [
            AudioDecoderEntry(payloadType: 111, decoder: first, rtpClockRateHz: 48_000),
            AudioDecoderEntry(payloadType: 0, decoder: second, rtpClockRateHz: 48_000),
        ])
        #expect(rig.run(seconds: 1).last == 0.25)
        rig.sending.payloadType = 0
        #expect(rig.run(seconds: 1).last == -0.25)
        #expect(second.resetCount >= 1)
        rig.sending.payloadType = 99
        rig.settle(seconds: 1)
        #expect(rig.statistics.packetsInvalid > 40)
    }

    @Test func wrapsOfSequenceAndTimestampAreNotNoticed() {
        let rig = ReceiverRig(toneHz: 440)
        rig.sequence = 65_530
        rig.timestamp = .max - 5000
        let sound = rig.run(seconds: 3)
        #expect(rig.statistics.concealedSamples == 0)
        #expect(rig.statistics.packetsDiscarded == 0)
        #expect(Sound.roughness(of: Array(sound.dropFirst(4800))) < 1.1 * Self.toneRoughness)
    }

    @Test func duplicatesAreCountedAndNotPlayed() {
        var twice = LossyLink.Conditions()
        twice.duplication = 0.5
        let rig = ReceiverRig(toneHz: 440, twice, seed: 12)
        let sound = rig.run(seconds: 10)
        #expect(rig.statistics.packetsDuplicated > 200)
        #expect(rig.statistics.packetsDiscarded == 0)
        #expect(abs(Sound.frequency(of: sound) - 440) < 0.1)
    }

    // Real time

    @Test(.enabled(if: callocationcounter_works()))
    func neitherJitterNorLossNorStallsAllocate() {
        let rig = ReceiverRig(
            toneHz: 440,
            conditions(delay: 60, jitter: 15, loss: .bursty(rate: 0.1, burst: 2), reorders: true), seed: 15)
        rig.sending.hasRedundancy = true
        // The first use of each operation lets the runtime make its tables.
        rig.settle(seconds: 2)
        rig.sending.ssrc = 8
        rig.settle(seconds: 2)
        let before = rig.allocationCount
        rig.settle(seconds: 10)
        rig.sending.isMuted = true
        rig.settle(seconds: 2)
        rig.sending.isMuted = false
        rig.link.conditions.delay = .seconds(2)
        rig.settle(seconds: 1)
        rig.link.conditions.delay = .milliseconds(60)
        rig.sending.ssrc = 9
        rig.settle(seconds: 5)
        #expect(rig.allocationCount == before)
    }

    // Malice

    @Test func aPayloadThatDoesNotDecodeIsConcealedAndCounted() {
        let rig = ReceiverRig(toneHz: 440)
        rig.makePayload = {
            SignalDecoder.payload(from: $0, count: 960, isBroken: $0 / 960 % 10 == 9)
        }
        rig.settle(seconds: 20)
        #expect(abs(concealedRatio(rig) - 0.1) < 0.01)
        #expect(abs(Int(rig.statistics.packetsInvalid) - 100) <= 2)
    }

    @Test func anUnreadablePayloadCountsAsLost() {
        let rig = ReceiverRig(toneHz: 440)
        rig.makePayload = { $0 / 960 % 10 == 9 ? [1] : SignalDecoder.payload(from: $0, count: 960) }
        rig.settle(seconds: 20)
        #expect(abs(concealedRatio(rig) - 0.1) < 0.02)
    }

    @Test func leapsOfTheTimestampNeitherTrapNorHoldTheSoundBack() {
        let rig = ReceiverRig(toneHz: 440)
        var random = SplitMix64(seed: 13)
        for _ in 0..<200 {
            rig.timestamp &+= random.unit() < 0.5 ? 0x8000_0000 : UInt32(truncatingIfNeeded: random.next())
            rig.settle(seconds: 0.1)
        }
        rig.settle(seconds: 5)
        #expect(rig.statistics.currentDelayMilliseconds < 60)
        #expect(Sound.rms(rig.run(seconds: 1)) > 0.3)
    }

    @Test func randomHeadersNeitherTrapNorStopTheStream() {
        let rig = ReceiverRig(toneHz: 440)
        var random = SplitMix64(seed: 14)
        rig.settle(seconds: 1)
        for _ in 0..<20_000 {
            let packet = AudioPacket(
                stream: 0, payloadType: 111, marker: random.unit() < 0.5,
                sequenceNumber: UInt16(truncatingIfNeeded: random.next()),
                ssrc: random.unit() < 0.9 ? 7 : UInt32(truncatingIfNeeded: random.next()),
                timestamp: UInt32(truncatingIfNeeded: random.next()), level: 0,
                arrival: MonoTime(nanoseconds: Int64(truncatingIfNeeded: random.next())))
            let payload = SignalDecoder.payload(
                from: Int(truncatingIfNeeded: random.next() >> 20), count: 1 + Int(random.next() % 5760),
                hasRedundancy: random.unit() < 0.5, isBroken: random.unit() < 0.2)
            payload.withUnsafeBytes { rig.receiver.insert(packet, payload: $0) }
            if random.unit() < 0.2 { rig.settle(seconds: 0.01) }
        }
        rig.settle(seconds: 5)
        #expect(Sound.rms(rig.run(seconds: 2)) > 0.3)
        #expect(rig.statistics.currentDelayMilliseconds < 60)
    }
}
