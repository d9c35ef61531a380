import MediaEngine
import Primitives
import RTP
import Testing

/// What browsers' congestion control demands of itself, and what RFC 8867 tries, on the simulated path.
@Suite struct CongestionGateTests {
    static let seeds: [UInt64] = [1, 2, 3]

    private func simulation(
        _ bitrate: Double, delay: Duration, noise: Double = 0, seed: UInt64
    ) -> BandwidthSimulation {
        BandwidthSimulation(
            Bottleneck(bitrate: bitrate, delay: delay, noise: noise, seed: seed), calls: [CallFlow(seed: seed)])
    }

    /// After convergence the queue is short and next to nothing is lost in it.
    private func expectCalm(_ simulation: BandwidthSimulation, call: Int = 0) {
        #expect(simulation.measurements[call].queueTimeP95 <= 100)
        #expect(simulation.measurements[call].lossRatio <= 0.02)
    }

    @Test(arguments: seeds) func theTargetFollowsTheCapacity(seed: UInt64) {
        var simulation = simulation(500_000, delay: .milliseconds(100), seed: seed)
        simulation.measure(.seconds(10), after: .seconds(15))
        #expect((350_000...550_000).contains(simulation.target()))
        expectCalm(simulation)
        simulation.path.bitrate = 800_000
        simulation.run(.seconds(20))
        #expect((600_000...900_000).contains(simulation.target()))
        simulation.path.bitrate = 100_000
        simulation.path.delay = .milliseconds(200)
        simulation.measure(.seconds(10), after: .seconds(40))
        #expect((65_000...115_000).contains(simulation.target()))
        expectCalm(simulation)
    }

    /// Between what leaves the path half empty and what its queue must bear.
    @Test(arguments: seeds) func aNarrowPathIsFilledAndNotOverrun(seed: UInt64) {
        var simulation = simulation(600_000, delay: .milliseconds(50), seed: seed)
        simulation.run(.seconds(20))
        #expect((450_000...700_000).contains(simulation.target()))
        simulation.measure(.seconds(20), after: .zero) { #expect((400_000...700_000).contains($0.target())) }
        #expect(simulation.throughput() > 450_000)
        expectCalm(simulation)
    }

    /// What narrows a path of 2 Mbit/s to 250 kbit/s for a while.
    enum Narrowing: CaseIterable {
        case peersBound
        case bottleneck

        func set(_ bitrate: Double, in simulation: inout BandwidthSimulation) {
            switch self {
            case .peersBound: simulation.update { $0.receive(maximumBitrate: UInt64(bitrate), at: $1) }
            case .bottleneck: simulation.path.bitrate = min(bitrate, 2_000_000)
            }
        }
    }

    @Test(arguments: seeds, Narrowing.allCases)
    func theTargetRisesFastOnceThePathIsWideAgain(seed: UInt64, narrowing: Narrowing) {
        var simulation = simulation(2_000_000, delay: .milliseconds(50), seed: seed)
        simulation.run(.seconds(10))
        #expect(simulation.target() > 1_500_000)
        narrowing.set(250_000, in: &simulation)
        simulation.run(.seconds(10)) { #expect(narrowing == .bottleneck || $0.target() <= 250_000) }
        #expect(simulation.target() < 300_000)
        narrowing.set(10_000_000, in: &simulation)
        simulation.run(.seconds(10))
        #expect(simulation.target() > (narrowing == .bottleneck ? 1_400_000 : 1_500_000))
    }

    /// Pictures are off when there is too little for them: then nothing tells of the path by itself, or sound alone does.
    @Test(arguments: seeds, [false, true]) func whatWasStarvedComesBackOnceThePathIsWide(seed: UInt64, sendsAudio: Bool)
    {
        var call = CallFlow(seed: seed)
        call.sendsAudio = sendsAudio
        call.minimumVideoBitrate = 50_000
        var simulation = BandwidthSimulation(
            Bottleneck(bitrate: 1_000_000, delay: .milliseconds(30), seed: seed), calls: [call])
        let sound = sendsAudio ? CallFlow.audioBitrate : 0
        simulation.run(.seconds(10))
        simulation.path.bitrate = 30_000 + sound
        simulation.run(.seconds(60))
        #expect(simulation.target() < 60_000 + sound)
        simulation.path.bitrate = 1_000_000
        simulation.run(.seconds(15))
        #expect(simulation.target() > 500_000)
    }

    @Test(arguments: seeds) func noiseOfTenPerCentDoesNotStarve(seed: UInt64) {
        var simulation = simulation(2_000_000, delay: .milliseconds(200), noise: 0.1, seed: seed)
        simulation.run(.seconds(120)) { #expect($0.target() > 100_000) }
        #expect(simulation.target() > 500_000)
    }

    @Test(arguments: seeds) func noiseOfTwentyPerCentDoesNotMakeTheTargetJump(seed: UInt64) {
        var simulation = simulation(2_000_000, delay: .milliseconds(10), noise: 0.2, seed: seed)
        simulation.run(.seconds(5))
        var steps = [simulation.target()]
        for _ in 0..<60 {
            simulation.run(.milliseconds(500))
            steps.append(simulation.target())
        }
        #expect(zip(steps, steps.dropFirst()).count { $0 - $1 >= 100_000 } < 2)
        #expect(steps.allSatisfy { $0 > 300_000 })
    }

    @Test(arguments: seeds) func aTCPFlowKeepsItsShare(seed: UInt64) throws {
        var simulation = simulation(1_000_000, delay: .milliseconds(50), seed: seed)
        simulation.run(.seconds(10))
        simulation.reno = RenoFlow()
        simulation.run(.seconds(10))
        let before = try #require(simulation.reno).acknowledgedCount
        simulation.measure(.seconds(40), after: .zero)
        let segments = try #require(simulation.reno).acknowledgedCount - before
        #expect(segments * RenoFlow.segmentByteCount * 8 / 40 > 250_000)
        #expect(simulation.target() <= 750_000)
        // Audio goes on.
        #expect(simulation.throughput() > 0.9 * CallFlow.audioBitrate)
    }

    @Test(arguments: seeds) func fourSecondsOfMutedVideoKeepTheTarget(seed: UInt64) {
        var simulation = simulation(2_000_000, delay: .milliseconds(50), seed: seed)
        simulation.run(.seconds(15))
        simulation.calls[0].sendsVideo = false
        simulation.run(.seconds(4)) { #expect($0.target() > 1_000_000) }
        simulation.calls[0].sendsVideo = true
        simulation.run(.seconds(4)) { #expect($0.target() > 1_000_000) }
    }

    @Test(arguments: seeds) func audioBetweenVideosLosesNothing(seed: UInt64) {
        var simulation = simulation(350_000, delay: .milliseconds(50), seed: seed)
        simulation.run(.seconds(30))
        simulation.calls[0].sendsVideo = false
        // What the last pictures met is still told.
        simulation.run(.seconds(1))
        let before = simulation.target()
        simulation.run(.seconds(9))
        #expect(simulation.target() >= before)
        simulation.calls[0].sendsVideo = true
        simulation.run(.seconds(1))
        #expect(simulation.target() >= before)
    }

    @Test(arguments: seeds) func twoCallsShareFairly(seed: UInt64) {
        var simulation = BandwidthSimulation(
            Bottleneck(bitrate: 2_000_000, delay: .milliseconds(50), seed: seed),
            calls: [CallFlow(seed: seed), CallFlow(start: .zero + .seconds(15), seed: seed + 100)])
        simulation.measure(.seconds(40), after: .seconds(60))
        #expect((1 / 3.0...3).contains(simulation.throughput(0) / simulation.throughput(1)))
        #expect(simulation.throughput(0) + simulation.throughput(1) > 1_500_000)
        expectCalm(simulation, call: 0)
        expectCalm(simulation, call: 1)
    }

    /// Two pictures that are less than whole, of which one gives way.
    @Test(arguments: seeds) func whatANeighbourLeavesIsTaken(seed: UInt64) {
        var neighbour = CallFlow(seed: seed + 100)
        neighbour.sendsAudio = false
        var simulation = BandwidthSimulation(
            Bottleneck(bitrate: 3_000_000, delay: .milliseconds(5), seed: seed),
            calls: [CallFlow(seed: seed), neighbour])
        simulation.run(.seconds(10))
        simulation.path.bitrate = 320_000
        simulation.run(.seconds(15))
        simulation.calls[1].sendsVideo = false
        simulation.run(.seconds(15))
        #expect(simulation.target() > 230_000)
    }

    /// RFC 8867, section 5.1.
    @Test(arguments: seeds) func changesOfTheCapacityAreFollowed(seed: UInt64) {
        var simulation = simulation(1_000_000, delay: .milliseconds(50), seed: seed)
        for (ratio, seconds) in [(1.0, 40), (2.5, 20), (0.6, 20), (1.0, 20)] {
            simulation.path.bitrate = ratio * 1_000_000
            simulation.measure(.seconds(seconds - 10), after: .seconds(10))
            #expect(simulation.throughput() > 0.65 * simulation.path.bitrate)
            expectCalm(simulation)
        }
    }

    /// With a queue of 60 ms delay grows little before packets are dropped.
    @Test(arguments: seeds) func aShortQueueIsNotOverrun(seed: UInt64) {
        var simulation = simulation(1_000_000, delay: .milliseconds(30), seed: seed)
        simulation.path.depth = .milliseconds(60)
        simulation.measure(.seconds(20), after: .seconds(20))
        #expect(simulation.throughput() > 700_000)
        expectCalm(simulation)
    }

    @Test(arguments: seeds) func jitterIsNotTakenForCongestion(seed: UInt64) {
        var simulation = simulation(2_000_000, delay: .milliseconds(50), seed: seed)
        simulation.path.jitter = .milliseconds(10)
        simulation.measure(.seconds(40), after: .seconds(20))
        #expect(simulation.throughput() > 800_000)
        expectCalm(simulation)
    }

    /// What is lost in a queue that somebody else keeps full is no noise: more is not tried there for as long as nothing
    /// finds the queue empty.
    @Test(arguments: seeds) func aQueueThatStaysFullIsNotTakenForNoise(seed: UInt64) {
        var neighbour = CallFlow(sendsVideo: false, seed: seed + 100)
        neighbour.copiedByteCount = 254
        var simulation = BandwidthSimulation(
            Bottleneck(bitrate: 2_000_000, delay: .milliseconds(20), seed: seed),
            calls: [CallFlow(seed: seed), neighbour])
        simulation.run(.seconds(10))
        simulation.path.bitrate = 250_000
        simulation.measure(.seconds(30), after: .seconds(10))
        #expect(simulation.measurements[0].lossRatio < 0.08)
        #expect(simulation.throughput() > CallFlow.audioBitrate)
    }

    /// A route that takes longer than the one before is no queue, whatever it loses.
    @Test(arguments: seeds) func aLongerWayIsNotTakenForAQueueForLong(seed: UInt64) {
        var simulation = simulation(2_000_000, delay: .milliseconds(20), noise: 0.1, seed: seed)
        simulation.run(.seconds(20))
        simulation.path.delay = .milliseconds(100)
        simulation.run(.seconds(60))
        #expect(simulation.target() > 300_000)
    }

    /// A path that is gone carries nothing, and nothing tells so but the silence.
    @Test func withoutFeedbackLessIsSentAndAllAgainAfterwards() {
        var simulation = simulation(2_000_000, delay: .milliseconds(50), seed: 1)
        simulation.run(.seconds(10))
        simulation.feedbackPasses = false
        simulation.run(.seconds(10))
        #expect(simulation.target() < 100_000)
        simulation.feedbackPasses = true
        simulation.run(.seconds(15))
        #expect(simulation.target() > 1_000_000)
    }
}
