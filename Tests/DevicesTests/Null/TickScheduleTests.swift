import Primitives
import Testing

@testable import Devices

@Suite struct TickScheduleTests {
    private func time(milliseconds: Int64) -> MonoTime {
        .zero + .milliseconds(milliseconds)
    }

    @Test func ticksFollowTheStartInWholePeriods() {
        var schedule = TickSchedule(period: .milliseconds(10), start: .zero)
        for index in 1...100 {
            #expect(schedule.next == time(milliseconds: Int64(index) * 10))
            schedule.take(at: schedule.next + .milliseconds(Int64(index % 7)))
        }
        #expect(schedule.lateCount == 0)
        #expect(schedule.skippedCount == 0)
    }

    @Test func aLateTickIsCountedAndMadeUpFor() {
        var schedule = TickSchedule(period: .milliseconds(10), start: .zero)
        schedule.take(at: time(milliseconds: 45))
        #expect(schedule.lateCount == 1)
        #expect(schedule.next == time(milliseconds: 20))
        #expect(schedule.skippedCount == 0)
    }

    @Test func aSuspensionIsSkippedWithoutABurst() {
        var schedule = TickSchedule(period: .milliseconds(10), start: .zero)
        schedule.take(at: time(milliseconds: 60_005))
        #expect(schedule.next == time(milliseconds: 60_000))
        #expect(schedule.skippedCount == 5998)
        schedule.take(at: time(milliseconds: 60_005))
        #expect(schedule.next == time(milliseconds: 60_010))
    }

    @Test func aDeadlineAlwaysMovesForward() {
        var random = SplitMix64(seed: 7)
        var schedule = TickSchedule(period: .milliseconds(10), start: .zero)
        for _ in 0..<10_000 {
            let before = schedule.next
            schedule.take(at: before + .milliseconds(Int64(random.unit() * 300)))
            #expect(schedule.next > before)
        }
    }
}
