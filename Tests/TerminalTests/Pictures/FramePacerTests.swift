import Primitives
import Testing

@testable import Terminal

struct FramePacerTests {
    private var now = MonoTime.zero + .seconds(1)

    @Test func theFirstFrameWaitsForTheAnswerToABareQuestion() {
        var pacer = FramePacer()
        #expect(pacer.step(at: now) == .ask)
        pacer.asked(at: now)
        #expect(pacer.step(at: now) == .wait)
        #expect(pacer.deadline == now + FramePacer.firstPatience)
        pacer.answered(at: now + .milliseconds(30))
        #expect(pacer.roundTrip == .milliseconds(30))
        #expect(pacer.step(at: now + .milliseconds(30)) == .draw(limit: FramePacer.firstLimit, asks: true))
    }

    @Test func nothingIsDrawnUntilTheLastFrameIsAcknowledged() {
        var pacer = answering()
        pacer.drew(3000, asks: true, at: now)
        for wait in stride(from: 0, to: 4900, by: 70) {
            pacer.tick(at: now + .milliseconds(wait))
            #expect(pacer.step(at: now + .milliseconds(wait)) == .wait)
        }
        pacer.answered(at: now + .milliseconds(4900))
        #expect(pacer.step(at: now + .milliseconds(4900)) != .wait)
    }

    @Test func framesKeepTheirDistance() {
        var pacer = answering()
        pacer.drew(500, asks: true, at: now)
        pacer.answered(at: now + .milliseconds(2))
        let due = now + FramePacer.interval + FramePacer.lateness
        #expect(pacer.step(at: due - .nanoseconds(1)) == .wait)
        #expect(pacer.deadline == due)
        #expect(pacer.step(at: due) != .wait)
    }

    /// 30 pictures a second, a little early or late: every other one is drawn, when it comes.
    @Test func whatIsDrawnHasJustCome() {
        var random = SplitMix64(seed: 7)
        var pacer = answering()
        var ages: [Duration] = []
        func draw(at time: MonoTime, _ comes: MonoTime, _ pacer: inout FramePacer) {
            ages.append(time - comes)
            pacer.drew(500, asks: true, at: time)
            pacer.answered(at: time + .milliseconds(2))
        }
        for picture in 0..<600 {
            let comes = now + .microseconds(picture * 33_333 + Int.random(in: -6000...6000, using: &random))
            let next = now + .microseconds((picture + 1) * 33_333 - 6000)
            switch pacer.step(at: comes, isNew: true) {
            case .ask:
                pacer.asked(at: comes)
                pacer.answered(at: comes + .milliseconds(2))
            case .draw: draw(at: comes, comes, &pacer)
            case .wait: if let due = pacer.deadline, due < next { draw(at: due, comes, &pacer) }
            }
        }
        #expect((295...302).contains(ages.count))
        #expect(ages.count { $0 > .zero } <= 3)
    }

    @Test func theRestOfAFrameFollowsOnceTheTerminalHasAnswered() {
        var pacer = answering()
        pacer.drew(FramePacer.firstLimit, asks: true, isWhole: false, at: now)
        #expect(pacer.step(at: now + .milliseconds(3)) == .wait)
        pacer.answered(at: now + .milliseconds(4))
        #expect(pacer.step(at: now + .milliseconds(4)) == .draw(limit: 2 * FramePacer.firstLimit, asks: true))
    }

    /// A virtual line of a rate and a round trip: frames take what the line takes.
    @Test(arguments: [
        (32_000.0, 0, 1800...3400), (32_000, 300, 1800...3400), (8_000, 40, 1024...1100), (1e7, 50, 60_000...65_536),
    ])
    func theLimitBecomesWhatTheLineTakesInItsTime(rate: Double, roundTripMs: Int, limits: ClosedRange<Int>) {
        var pacer = FramePacer()
        var time = now
        for _ in 0..<200 {
            let back = Duration.milliseconds(roundTripMs)
            switch pacer.step(at: time) {
            case .ask:
                pacer.asked(at: time)
                time += back
                pacer.answered(at: time)
            case .draw(let limit, let asks):
                #expect(asks)
                pacer.drew(limit, asks: asks, at: time)
                time += .fractional(seconds: Double(limit) / rate) + back
                pacer.answered(at: time)
            case .wait: time = max(time, pacer.deadline ?? time)
            }
        }
        #expect(limits.contains(pacer.limit), "\(pacer.limit)")
    }

    @Test func aSmallFrameDoesNotRaiseTheLimit() {
        var pacer = answering()
        for _ in 0..<50 {
            pacer.drew(100, asks: true, at: now)
            pacer.answered(at: now + .milliseconds(1))
        }
        #expect(pacer.limit == FramePacer.firstLimit)
    }

    @Test func aTerminalThatNeverAnswersGetsSmallFramesSeldom() {
        var pacer = FramePacer()
        pacer.asked(at: now)
        var time = now
        var (frames, bytes) = (0, 0)
        while time < now + .seconds(20) {
            pacer.tick(at: time)
            switch pacer.step(at: time) {
            case .ask: pacer.asked(at: time)
            case .draw(let limit, let asks):
                frames += 1
                bytes += limit
                pacer.drew(limit, asks: asks, at: time)
            case .wait: break
            }
            time += .milliseconds(10)
        }
        #expect(pacer.isSilent)
        #expect((17...20).contains(frames) && bytes <= 20 * 2048)
        pacer.answered(at: time)
        #expect(!pacer.isSilent)
    }

    @Test func anAnswerThatIsLostIsGivenUpAndALateOneTaken() {
        var pacer = answering()
        pacer.drew(1000, asks: true, at: now)
        let overdue = now + FramePacer.patience
        #expect(pacer.deadline == overdue)
        pacer.tick(at: overdue)
        #expect(pacer.isSilent)
        #expect(pacer.step(at: overdue) == .draw(limit: FramePacer.silentLimit, asks: false))
        let limit = pacer.limit
        pacer.answered(at: overdue + .milliseconds(500))
        #expect(!pacer.isSilent && pacer.limit == limit)
    }

    @Test func aMultiplexersRateIsNeverExceeded() {
        var pacer = FramePacer(rate: 10_000)
        var time = now
        var bytes = 0
        while time < now + .seconds(10) {
            switch pacer.step(at: time) {
            case .ask:
                pacer.asked(at: time)
                pacer.answered(at: time)
            case .draw(let limit, let asks):
                pacer.drew(limit, asks: asks, at: time)
                pacer.answered(at: time)
                bytes += limit
            case .wait: break
            }
            time += .milliseconds(5)
        }
        #expect((80_000...102_000).contains(bytes))
    }

    @Test func theDeadlineMovesForwardWithEveryTick() {
        var random = SplitMix64(seed: 4)
        var pacer = FramePacer()
        var time = now
        for _ in 0..<5000 {
            time += .milliseconds(Int.random(in: 0...400, using: &random))
            switch pacer.step(at: time) {
            case .ask: pacer.asked(at: time)
            case .draw(_, let asks): pacer.drew(Int.random(in: 1...9000, using: &random), asks: asks, at: time)
            case .wait: if Int.random(in: 0...9, using: &random) < 6 { pacer.answered(at: time) }
            }
            pacer.tick(at: time)
            if pacer.step(at: time) == .wait { #expect(pacer.deadline.map { $0 > time } == true) }
        }
    }

    private func answering() -> FramePacer {
        var pacer = FramePacer()
        pacer.asked(at: now - .milliseconds(20))
        pacer.answered(at: now)
        return pacer
    }
}
