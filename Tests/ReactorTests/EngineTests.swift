import CLinux
import Glibc
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import Reactor

@Suite(.serialized) struct EngineTests {
    @Test func theActorRunsOnTheEngineThread() async {
        #expect(!EngineActor.executor.isCurrentThread)
        let inside = await Task { @EngineActor in
            EngineActor.assumeIsolated { EngineActor.executor.isCurrentThread }
        }.value
        #expect(inside)
    }

    @Test func tasksOfTheActorKeepTheirOrder() async {
        let seen = await Task { @EngineActor in
            await withTaskGroup(of: Void.self) { group in
                var order: [Int] = []
                for number in 0..<100 {
                    group.addTask { @EngineActor in note(number) }
                }
                await group.waitForAll()
                order = taken()
                return order
            }
        }.value
        #expect(seen == Array(0..<100))
    }

    @Test @EngineActor func aTimerFiresOnceAtItsDeadlineAndNeverEarly() async {
        let deadline = MonoTime.now() + .milliseconds(5)
        let fired = await firstEvent { (report: @escaping @EngineActor (MonoTime) -> Void) in
            let timer = EngineTimer { report(.now()) }
            timer.arm(at: deadline)
            return timer
        }
        #expect(fired >= deadline)
        #expect(fired - deadline < .seconds(1))
    }

    @Test @EngineActor func aRearmedTimerForgetsItsFirstDeadline() async {
        var count = 0
        let timer = EngineTimer { count += 1 }
        timer.arm(after: .milliseconds(1))
        timer.cancel()
        #expect(timer.deadline == nil)
        await passTime(.milliseconds(10))
        #expect(count == 0)
        timer.arm(after: .milliseconds(50))
        timer.arm(after: .milliseconds(1))
        await passTime(.milliseconds(20))
        #expect(count == 1)
        #expect(timer.deadline == nil)
    }

    @Test @EngineActor func aDroppedTimerDoesNotFire() async {
        var count = 0
        var timer: EngineTimer? = EngineTimer { count += 1 }
        timer?.arm(after: .milliseconds(1))
        timer = nil
        await passTime(.milliseconds(10))
        #expect(count == 0)
        #expect(timer == nil)
    }

    @Test @EngineActor func ringsFromAnotherThreadWakeTheEngineAndJoin() async {
        let rungTotal = Mutex(0)
        let handled: Int = await firstEvent { report in
            let bell = Doorbell { report(rungTotal.withLock { $0 }) }
            Thread.detached {
                for _ in 0..<1000 {
                    rungTotal.withLock { $0 += 1 }
                    bell?.ring()
                }
            }
            return bell
        }
        #expect(handled > 0)
    }

    @Test @EngineActor func anAnsweredBellCanRingAgain() async {
        var count = 0
        let bell = Doorbell { count += 1 }
        for expected in 1...3 {
            bell?.ring()
            bell?.ring()
            await passTime(.milliseconds(2))
            #expect(count == expected)
        }
    }

    @Test @EngineActor func aDescriptorIsReportedOnlyForWhatIsWatched() async {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        var events: [DescriptorSource.Events] = []
        let source = DescriptorSource(ends[0], []) { events.append($0) }
        _ = write(ends[1], "x", 1)
        await passTime(.milliseconds(3))
        #expect(events.isEmpty)
        source.watch(.readable)
        await passTime(.milliseconds(3))
        #expect(events.first == .readable)
        source.watch([])
        close(ends[1])
        events = []
        await passTime(.milliseconds(3))
        #expect(await eventually { events.contains(.hangUp) }, "\(events)")
        _ = consume source
        close(ends[0])
    }

    @Test @EngineActor func aSignalReachesItsHandler() async {
        var count = 0
        let source = SignalSource(SIGUSR1) { count += 1 }
        kill(getpid(), SIGUSR1)
        for _ in 0..<200 where count == 0 { await passTime(.milliseconds(2)) }
        #expect(count == 1)
        _ = consume source
    }

    @Test @EngineActor func aBlockedEngineShowsAsLateTicks() async {
        let lag = LoopLag(interval: .milliseconds(5), threshold: .milliseconds(3))
        await passTime(.milliseconds(6))
        _ = lag.take()
        let end = MonoTime.now() + .milliseconds(60)
        while MonoTime.now() < end {}
        await passTime(.milliseconds(2))
        let measure = lag.take()
        #expect(measure.worst > .milliseconds(40))
        #expect(measure.lateCount >= 8)
        #expect(lag.totalLateCount >= measure.lateCount)
        lag.isRunning = false
        await passTime(.milliseconds(20))
        #expect(lag.take().tickCount == 0, "at rest it wakes nobody")
        lag.isRunning = true
        await passTime(.milliseconds(20))
        #expect(lag.take().tickCount > 0)
    }
}

@EngineActor private var noted: [Int] = []

@EngineActor private func note(_ number: Int) {
    noted.append(number)
}

@EngineActor private func taken() -> [Int] {
    noted
}
