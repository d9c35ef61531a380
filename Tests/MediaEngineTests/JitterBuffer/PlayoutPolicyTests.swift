import Testing

@testable import MediaEngine

@Suite struct PlayoutPolicyTests {
    private func next(
        missing: Int = 0, gap: Int = 0, waited: Int = 0, delay: Int = 960, hasRedundancy: Bool = false
    ) -> PlayoutPolicy.Next {
        PlayoutPolicy.Next(
            missingCount: missing, gap: gap, waited: waited, delay: delay, sampleCount: 960,
            hasRedundancy: hasRedundancy)
    }

    private func operation(
        _ next: PlayoutPolicy.Next?, dry: Int = 0, isPaused: Bool = false
    ) -> PlayoutPolicy.Operation {
        PlayoutPolicy().operation(
            in: .init(next: next, drySampleCount: dry, isPaused: isPaused, target: 960, packetSampleCount: 960))
    }

    @Test func thePacketInOrderIsDecoded() {
        #expect(operation(next()) == .decode)
    }

    @Test func anEmptyStoreExpandsAndAPauseIsKept() {
        #expect(operation(nil) == .expand)
        #expect(operation(nil, isPaused: true) == .pause)
    }

    @Test func aLostPacketIsConcealedPacketByPacket() {
        #expect(operation(next(missing: 1, gap: 960)) == .conceal(960))
        #expect(operation(next(missing: 3, gap: 2880)) == .conceal(960))
    }

    @Test func whatWasExpandedCountsForTheLoss() {
        #expect(operation(next(missing: 1, gap: 960), dry: 480) == .conceal(480))
        #expect(operation(next(missing: 1, gap: 960), dry: 960) == .decode)
    }

    @Test func redundancyIsUsedForTheLastOfTheLost() {
        #expect(operation(next(missing: 1, gap: 960, hasRedundancy: true)) == .recover)
        #expect(operation(next(missing: 2, gap: 1920, hasRedundancy: true)) == .conceal(960))
    }

    @Test func redundancyThatOnlyDelaysIsLeft() {
        #expect(operation(next(missing: 1, gap: 960, delay: 960, hasRedundancy: true), dry: 960) == .decode)
        #expect(operation(next(missing: 1, gap: 960, delay: 0, hasRedundancy: true), dry: 960) == .recover)
    }

    @Test func timeThatWasNotSentIsAPauseUntilTheTargetIsReached() {
        #expect(operation(next(gap: 9600, delay: 0)) == .pause)
        #expect(operation(next(gap: 9600, delay: 960)) == .decode)
        #expect(operation(next(gap: 1 << 31, waited: 960, delay: -(1 << 31))) == .decode)
    }

    @Test func timeThatGoesBackIsPlayedAtOnce() {
        #expect(operation(next(gap: -5000, delay: 0)) == .decode)
    }

    @Test func aLossWithALeapOfTimeIsNoLoss() {
        #expect(operation(next(missing: 1, gap: 1 << 31, delay: 0)) == .pause)
    }

    // Stretching

    private func stretch(delay: Int, isQuiet: Bool, pulls: Int = 1) -> PlayoutPolicy.Stretch {
        var policy = PlayoutPolicy()
        var result = PlayoutPolicy.Stretch.none
        for _ in 0..<pulls { result = policy.stretch(delay: delay * 48, target: 20 * 48, isQuiet: isQuiet) }
        return result
    }

    @Test func delayNearItsTargetIsLeft() {
        #expect(stretch(delay: 20, isQuiet: true) == .none)
        #expect(stretch(delay: 33, isQuiet: true) == .none)
    }

    @Test func aSmallExcessIsMendedInQuietSound() {
        #expect(stretch(delay: 40, isQuiet: true) == .accelerate(limit: 960, minimumCorrelation: 0.5))
    }

    @Test func loudSoundIsStretchedOnlyWhereItRepeatsOrAfterLong() {
        #expect(stretch(delay: 40, isQuiet: false) == .accelerate(limit: 960, minimumCorrelation: 0.99))
        #expect(stretch(delay: 40, isQuiet: false, pulls: 1000) == .accelerate(limit: 960, minimumCorrelation: 0.9))
    }

    @Test func aLargeExcessIsMendedAtOnce() {
        #expect(stretch(delay: 100, isQuiet: false) == .accelerate(limit: 3840, minimumCorrelation: 0.5))
    }

    @Test func aDeficitIsFilled() {
        #expect(stretch(delay: 10, isQuiet: true) == .preemptiveExpand(limit: 720, minimumCorrelation: 0.5))
    }

    @Test func stretchesKeepADistance() {
        var policy = PlayoutPolicy()
        policy.noteStretch()
        var pulls = 0
        repeat { pulls += 1 } while policy.stretch(delay: 1920, target: 960, isQuiet: true) == .none && pulls < 100
        #expect(pulls == 6)
    }
}
