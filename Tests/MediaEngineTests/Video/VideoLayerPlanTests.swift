import Testing

@testable import MediaEngine

@Suite struct VideoLayerPlanTests {
    private typealias Plan = VideoLayerPlan<String>

    @Test func onePeerGetsWhatItsPathCarries() {
        var plan = Plan()
        plan.update(["bob": .init(wish: .high, share: 90_000)], maximum: 1_000_000)
        #expect(plan.layers == ["bob": .high])
        #expect(plan.highBitrate == 90_000 && plan.lowBitrate == nil)
        plan.update(["bob": .init(wish: .high, share: 9_000_000)], maximum: 1_000_000)
        #expect(plan.highBitrate == 1_000_000)
    }

    @Test func thePoorestOfTheHighLayerBoundsItAndWhoIsFarBelowGetsTheLowOne() {
        var plan = Plan()
        plan.update(
            [
                "bob": .init(wish: .high, share: 900_000), "chi": .init(wish: .high, share: 500_000),
                "dee": .init(wish: .high, share: 100_000), "eve": .init(wish: .low, share: 900_000),
            ], maximum: 1_000_000)
        #expect(plan.layers == ["bob": .high, "chi": .high, "dee": .low, "eve": .low])
        #expect(plan.highBitrate == 500_000)
        #expect(plan.lowBitrate == 100_000)
    }

    @Test func whoFellComesBackOnlyWithRoomToSpare() {
        var plan = Plan()
        let best = Plan.Peer(wish: .high, share: 900_000)
        for (share, layer) in [(310_000.0, VideoLayer.high), (290_000, .low), (400_000, .low), (460_000, .high)] {
            plan.update(["bob": best, "chi": .init(wish: .high, share: share)], maximum: 1_000_000)
            #expect(plan.layers["chi"] == layer, "\(share)")
        }
    }

    @Test func nothingGoesToWhoWantsOrCanTakeNothing() {
        var plan = Plan()
        plan.update(
            ["bob": .init(wish: nil, share: 900_000), "chi": .init(wish: .high, share: 0)], maximum: 1_000_000)
        #expect(plan.layers.isEmpty && plan.highBitrate == nil && plan.lowBitrate == nil)
    }
}
