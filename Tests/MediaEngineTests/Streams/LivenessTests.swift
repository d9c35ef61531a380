import MediaEngine
import Primitives
import Testing

@Suite struct LivenessTests {
    private typealias Happened = (seconds: Double, event: Liveness.Event)

    /// Runs `liveness` from deadline to deadline until `end`.
    private func run(_ liveness: inout Liveness, until end: MonoTime) -> [Happened] {
        var happened: [Happened] = []
        while let due = liveness.deadline, due <= end {
            var out = Outbox<Liveness.Event>()
            liveness.tick(at: due, into: &out)
            happened += out.events.map { ((due - .zero).seconds, $0) }
            #expect(liveness.deadline.map { $0 > due } ?? true)
        }
        return happened
    }

    @Test func silenceIsLostThenRestartedThenRemovedEachOnce() {
        var liveness = Liveness(at: .zero)
        let happened = run(&liveness, until: .zero + .seconds(100))
        #expect(happened.map(\.seconds) == [4, 5, 20])
        #expect(happened.map(\.event) == [.lost, .restartWanted, .removed])
        #expect(liveness.deadline == nil)
    }

    @Test func anyPacketBringsItBack() {
        var liveness = Liveness(at: .zero)
        _ = run(&liveness, until: .zero + .seconds(6))
        #expect(liveness.isLost)
        var out = Outbox<Liveness.Event>()
        liveness.receive([UInt8(0)].span.bytes, at: .zero + .seconds(7), into: &out)
        liveness.heard(at: .zero + .seconds(8), into: &out)
        #expect(out.events == [.alive])
        #expect(!liveness.isLost)
        #expect(run(&liveness, until: .zero + .seconds(13)).map(\.event) == [.lost, .restartWanted])
    }

    @Test func oneASecondIsNeverLost() {
        var liveness = Liveness(at: .zero)
        for second in 1...100 {
            let now = MonoTime.zero + .seconds(second)
            #expect(run(&liveness, until: now).isEmpty)
            var out = Outbox<Liveness.Event>()
            liveness.heard(at: now, into: &out)
            #expect(out.isEmpty)
        }
    }

    @Test func theRemovedDoNotReturn() {
        var liveness = Liveness(at: .zero)
        _ = run(&liveness, until: .zero + .seconds(30))
        var out = Outbox<Liveness.Event>()
        liveness.heard(at: .zero + .seconds(31), into: &out)
        #expect(out.isEmpty)
        #expect(liveness.deadline == nil)
    }

    @Test func aLateTickReportsAllThatHasPassed() {
        var liveness = Liveness(at: .zero)
        var out = Outbox<Liveness.Event>()
        liveness.tick(at: .zero + .seconds(21), into: &out)
        #expect(out.events == [.lost, .restartWanted, .removed])
    }
}
