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

    private func plan(
        _ shares: [Double], wish: VideoLayer = .high, maximum: Double = 1_000_000, mayMissFrames: Bool = true
    ) -> VideoLayerPlan<Int> {
        var plan = VideoLayerPlan<Int>()
        let peers = shares.map { VideoLayerPlan<Int>.Peer(wish: wish, share: $0, mayMissFrames: mayMissFrames) }
        plan.update(Dictionary(uniqueKeysWithValues: zip(shares.indices, peers)), maximum: maximum)
        return plan
    }

    @Test func aPoorOneAmongManyGetsTheBaseLayerAlone() {
        let poor = plan([900_000, 800_000, 540_000])
        #expect(poor.layers == [0: .high, 1: .high, 2: .high] && poor.baseAlone == [2])
        #expect(poor.highBitrate == 800_000, "the base layer of it is within its share")
        let poorer = plan([900_000, 800_000, 420_000])
        #expect(poorer.baseAlone == [2] && poorer.highBitrate == 700_000, "as far as its base layer allows")
        #expect(plan([900_000, 800_000, 650_000]).baseAlone.isEmpty)
        #expect(plan([900_000, 900_000, 500_000, 500_000, 900_000]).baseAlone == [2, 3])
        let screen = plan([900_000, 800_000, 540_000], mayMissFrames: false)
        #expect(screen.baseAlone.isEmpty && screen.highBitrate == 540_000)
    }

    @Test(arguments: [[500_000.0], [900_000, 400_000], [900_000, 900_000, 400_000, 400_000]])
    func theEncodingFollowsWhereThePoorAreNotFew(_ shares: [Double]) {
        let plan = plan(shares)
        #expect(plan.baseAlone.isEmpty && plan.highBitrate == shares.last)
    }

    /// A27.2.
    @Test func noLayerGoesBeyondItsMaximumForThat() {
        let high = plan([5_000_000, 5_000_000, 350_000], maximum: 500_000)
        #expect(high.baseAlone == [2] && high.highBitrate == 500_000)
        let low = plan([900_000, 800_000, 100_000], wish: .low)
        #expect(low.baseAlone == [2] && low.lowBitrate == 150_000)
    }

    /// Of what holds an encoding down anyway, who is hardly poorer gets all.
    @Test func whoMustHaveAllFramesBoundsWhatIsPoor() {
        var plan = Plan()
        var peers = ["bob", "chi", "dee"].reduce(into: [:]) { $0[$1] = Plan.Peer(wish: .high, share: 900_000) }
        peers["eve"] = .init(wish: .high, share: 400_000, mayMissFrames: false)
        peers["fay"] = .init(wish: .high, share: 500_000)
        plan.update(peers, maximum: 1_000_000)
        #expect(plan.baseAlone.isEmpty && plan.highBitrate == 400_000)
        peers["fay"]?.share = 310_000
        peers["eve"]?.share = 500_000
        plan.update(peers, maximum: 1_000_000)
        #expect(plan.baseAlone == ["fay"] && plan.highBitrate == 500_000)
    }

    @Test func allFramesComeBackWithRoomToSpare() {
        var plan = Plan()
        let others = ["bob", "chi"].map { ($0, Plan.Peer(wish: .high, share: 800_000)) }
        for (share, isPoor) in [
            (610_000.0, false), (590_000, true), (710_000, true), (730_000, false), (610_000, false),
        ] {
            let peers = others + [("dee", .init(wish: .high, share: share))]
            plan.update(Dictionary(uniqueKeysWithValues: peers), maximum: 1_000_000)
            #expect(plan.baseAlone == (isPoor ? ["dee"] : []), "\(share)")
        }
        plan.update([:], maximum: 1_000_000)
        #expect(plan.baseAlone.isEmpty)
    }

    @Test func nothingGoesToWhoWantsOrCanTakeNothing() {
        var plan = Plan()
        plan.update(
            ["bob": .init(wish: nil, share: 900_000), "chi": .init(wish: .high, share: 0)], maximum: 1_000_000)
        #expect(plan.layers.isEmpty && plan.highBitrate == nil && plan.lowBitrate == nil)
    }
}
