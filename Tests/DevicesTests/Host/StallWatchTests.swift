import Primitives
import Testing

@testable import Devices

@Suite struct StallWatchTests {
    private func time(_ milliseconds: Int64) -> MonoTime {
        .zero + .milliseconds(milliseconds)
    }

    @Test func aClockWithoutProgressForHalfASecondIsStalled() {
        var watch = StallWatch()
        watch.update(frameCount: 10, isExpected: true, at: time(0))
        watch.update(frameCount: 10, isExpected: true, at: time(499))
        #expect(!watch.isStalled)
        watch.update(frameCount: 10, isExpected: true, at: time(500))
        #expect(watch.isStalled)
    }

    @Test func progressEndsTheStall() {
        var watch = StallWatch()
        watch.update(frameCount: 10, isExpected: true, at: time(0))
        watch.update(frameCount: 10, isExpected: true, at: time(1000))
        watch.update(frameCount: 11, isExpected: true, at: time(1001))
        #expect(!watch.isStalled)
    }

    @Test func aClockThatNeedNotRunIsNotStalled() {
        var watch = StallWatch()
        watch.update(frameCount: 10, isExpected: true, at: time(0))
        watch.update(frameCount: 10, isExpected: false, at: time(5000))
        #expect(!watch.isStalled)
        watch.update(frameCount: 10, isExpected: true, at: time(6000))
        #expect(!watch.isStalled)
    }
}
