import MediaEngine
import Primitives
import Testing

/// Who gives way to the person whose picture counts most (A77).
@Suite struct PicturePriorityTests {
    private func time(_ seconds: Int) -> MonoTime {
        .zero + .seconds(seconds)
    }

    /// What the others give up after each of these reports: seconds, and whether the picture is less than is wished.
    private func concessions(_ reports: [(Int, Bool)]) -> [PicturePriority.Concession] {
        var priority = PicturePriority()
        return reports.map { seconds, isLimited in
            let isNew = priority.update(isLimited: isLimited, at: time(seconds))
            #expect(isNew || priority.deadline.map { $0 > time(seconds) } ?? true)
            return priority.concession
        }
    }

    @Test func theOthersGiveWayOnlyWhileThePictureIsLessThanWished() {
        #expect(
            concessions([(1, false), (2, true), (5, true), (6, true), (60, true)])
                == [.none, .high, .high, .everything, .everything])
    }

    @Test func theyComeBackStepByStep() {
        #expect(
            concessions([(0, true), (4, true), (10, false), (24, false), (25, false), (39, false), (40, false)])
                == [.high, .everything, .everything, .everything, .high, .high, .none])
    }

    @Test func aStepBackThatCostThePictureIsUndoneAtOnceAndTriedLater() {
        var priority = PicturePriority()
        var waits: [Int] = []
        var now = 0
        for _ in 0..<6 {
            _ = priority.update(isLimited: true, at: time(now))
            #expect(priority.concession == .high)
            now += 1
            let since = now
            while priority.concession == .high {
                _ = priority.update(isLimited: false, at: time(now))
                now += 1
            }
            waits.append(now - 1 - since)
        }
        #expect(waits == [15, 30, 60, 120, 240, 240])
    }

    @Test func itsDeadlineMovesOnWithEachStep() {
        var priority = PicturePriority()
        var random = SplitMix64(seed: 5)
        var now = MonoTime.zero
        for _ in 0..<2000 {
            now = max(now, priority.deadline ?? now) + .milliseconds(Int.random(in: 0...3000, using: &random))
            _ = priority.update(isLimited: Bool.random(using: &random), at: now)
            #expect(priority.deadline.map { $0 > now } ?? true)
        }
    }
}
