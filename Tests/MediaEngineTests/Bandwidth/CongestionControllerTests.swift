import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct CongestionControllerTests {
    private func at(_ milliseconds: Int) -> MonoTime {
        .zero + .milliseconds(milliseconds)
    }

    @Test func theStartIsSentUntilThePathIsKnown() {
        let controller = CongestionController(BitrateLimits(), at: .zero)
        #expect(controller.target == 300_000)
        #expect(controller.deadline == nil)
        #expect(controller.roundTrip == nil && controller.acknowledgedBitrate == nil && controller.lossRatio == 0)
    }

    @Test func limitsContradictNothing() {
        let limits = BitrateLimits(minimum: 500_000, start: 300_000, maximum: 100_000)
        #expect(limits.start == 500_000 && limits.maximum == 500_000)
        var controller = CongestionController(BitrateLimits(), at: .zero)
        controller.setLimits(BitrateLimits(minimum: 30_000, start: 30_000, maximum: 80_000), at: at(1))
        #expect(controller.target == 80_000)
    }

    @Test func thePeersBoundIsTheEstimateWhereItTellsNothingElse() {
        var controller = CongestionController(BitrateLimits(), feedback: .reports, at: .zero)
        controller.receive(maximumBitrate: 900_000, at: at(100))
        #expect(controller.target == 900_000)
        controller.receive(maximumBitrate: 120_000, at: at(200))
        #expect(controller.target == 120_000)
        controller.receive(maximumBitrate: .max, at: at(300))
        #expect(controller.target == BitrateLimits().maximum)
    }

    @Test func theBoundOfOneWhoTellsArrivalsOnlyBounds() {
        var controller = CongestionController(BitrateLimits(), at: .zero)
        controller.receive(maximumBitrate: 900_000, at: at(100))
        #expect(controller.target == 300_000)
        controller.receive(maximumBitrate: 120_000, at: at(200))
        #expect(controller.target == 120_000)
    }

    @Test func anAudioCallDoesNotProbe() {
        var controller = CongestionController(BitrateLimits(), at: .zero)
        for index in 0..<40 {
            _ = controller.sent(byteCount: 150, at: at(index * 20))
            controller.tick(at: at(index * 20))
        }
        #expect(controller.takeProbe() == nil)
        controller.setProbing(true, at: at(800))
        #expect(controller.takeProbe()?.bitrate == 900_000)
        #expect(controller.takeProbe()?.bitrate == 1_800_000)
    }

    /// A peer that claims to report and never does.
    @Test func silenceSlowsDownToTheMinimumAndNoFurther() {
        var controller = CongestionController(BitrateLimits(), at: .zero)
        var targets: [Double] = []
        for index in 0..<1000 {
            _ = controller.sent(byteCount: 500, at: at(index * 20))
            if let due = controller.deadline, due <= at(index * 20) { controller.tick(at: at(index * 20)) }
            targets.append(controller.target)
        }
        #expect(targets[40] == 300_000)
        #expect(targets.last == 30_000)
    }

    /// Nothing comes back of what is not sent; so once in a while something is.
    @Test func whoReportsIsTriedAgainAfterAPause() {
        var controller = CongestionController(BitrateLimits(), feedback: .reports, at: .zero)
        controller.receive(maximumBitrate: 40_000, at: at(100))
        #expect(controller.target == 40_000 && controller.deadline == nil)
        controller.pause(at: at(1000))
        for _ in 0..<60 {
            guard let due = controller.deadline else { break }
            controller.tick(at: due)
        }
        #expect(controller.target == 80_000)
        _ = controller.sent(byteCount: 900, at: at(8000))
        #expect(controller.deadline == nil)
        controller.receive(maximumBitrate: 60_000, at: at(9000))
        #expect(controller.target == 60_000)
    }

    @Test func everyDeadlineMovesOn() {
        var controller = CongestionController(BitrateLimits(), at: .zero)
        controller.setProbing(true, at: .zero)
        _ = controller.sent(byteCount: 100, at: .zero)
        for _ in 0..<100 {
            guard let due = controller.deadline else { return }
            controller.tick(at: due)
            #expect(controller.deadline.map { $0 > due } ?? true)
        }
    }

    /// Sound alone, of which a tenth is lost by noise: neither 40 ± 10 ms nor a bell of 10 ms is a queue that grows or
    /// stands. What is repeated of it goes by that.
    @Test(arguments: CongestionGateTests.seeds, [true, false])
    func noiseAndJitterOfSoundAreNotCongestion(seed: UInt64, isEven: Bool) {
        var simulation = BandwidthSimulation(
            Bottleneck(bitrate: 10_000_000, delay: .milliseconds(40), noise: 0.1, seed: seed),
            calls: [CallFlow(sendsVideo: false, seed: seed)])
        if isEven {
            simulation.path.spread = .milliseconds(10)
        } else {
            simulation.path.jitter = .milliseconds(10)
        }
        var congestedCount = 0
        simulation.run(.seconds(120)) {
            congestedCount += $0.calls[0].sender.congestion.isCongested(at: $0.now) ? 1 : 0
        }
        #expect(congestedCount == 0)
    }

    @Test func noiseIsNotCongestionAndAFullQueueIs() {
        func simulation(_ noise: Double, bitrate: Double) -> BandwidthSimulation {
            BandwidthSimulation(
                Bottleneck(bitrate: bitrate, delay: .milliseconds(30), noise: noise, seed: 5),
                calls: [CallFlow(BitrateLimits(maximum: 1_000_000), seed: 5)])
        }
        var noisy = simulation(0.08, bitrate: 3_000_000)
        noisy.run(.seconds(20))
        let isNoiseCongestion = noisy.calls[0].sender.congestion.isCongested(at: noisy.now)
        #expect(!isNoiseCongestion)
        #expect(abs(noisy.calls[0].sender.congestion.lossRatio - 0.08) < 0.04)
        var full = simulation(0, bitrate: 3_000_000)
        full.run(.seconds(10))
        full.path.bitrate = 300_000
        full.run(.seconds(2))
        let isCongestion = full.calls[0].sender.congestion.isCongested(at: full.now)
        #expect(isCongestion)
    }
}
