import Primitives
import Testing

@testable import MediaEngine

/// How what is heard and what is sent come together in a recording, on a virtual clock.
struct RecordingTapTests {
    private let tap = RecordingTap()

    /// Each frame that is there: its place and its first sample.
    private func frames() -> [(index: Int64, sample: Float)] {
        var found: [(Int64, Float)] = []
        while tap.frames.pop({ header, bytes in found.append((header.index, bytes.load(as: Float.self))) }) {}
        return found
    }

    private func send(_ value: Float) {
        [Float](repeating: value, count: 480).withUnsafeBufferPointer { tap.send($0) }
    }

    private func hear(_ value: Float, at milliseconds: Double) {
        tap.hear(at: .zero + .microseconds(Int(milliseconds * 1000))) { $0.update(repeating: value) }
    }

    @Test func bothAreInEachFrame() {
        for tick in 0..<20 {
            send(0.25)
            hear(0.5, at: Double(tick) * 10)
        }
        let frames = frames()
        #expect(frames.map(\.index) == Array(0..<20))
        #expect(frames.prefix(SentFrames.leastToBegin - 1).allSatisfy { $0.sample == 0.5 }, "the queue fills first")
        #expect(frames.dropFirst(SentFrames.leastToBegin - 1).allSatisfy { $0.sample == 0.75 })
    }

    @Test func burstsOfTheMicrophoneLeaveNoHole() {
        for tick in 0..<100 {
            if tick % 4 == 0 { for _ in 0..<4 { send(0.25) } }
            hear(0, at: Double(tick) * 10)
        }
        #expect(frames().allSatisfy { $0.sample == 0.25 })
    }

    /// A tenth of a per cent apart for ten minutes: far more than devices are.
    @Test(arguments: [0.999, 1.001]) func aClockThatDriftsCostsLittleAndTheQueueStaysShort(rate: Double) {
        var sentCount = 0.0
        var (holes, count) = (0, 0)
        for tick in 0..<60_000 {
            while sentCount < Double(tick) * rate {
                send(0.25)
                sentCount += 1
            }
            hear(0, at: Double(tick) * 10)
            let frames = frames()
            count += frames.count
            holes += frames.count { $0.sample == 0 }
        }
        #expect(count == 60_000)
        #expect(holes <= 60 * SentFrames.leastToBegin, "\(holes) of 60,000 frames")
    }

    @Test func whoIsMutedIsSilentAndHeardAgain() {
        for tick in 0..<60 {
            if !(20..<40).contains(tick) { send(0.25) }
            hear(0.125, at: Double(tick) * 10)
        }
        let samples = frames().map(\.sample)
        #expect(samples[10] == 0.375 && samples[30] == 0.125 && samples[50] == 0.375)
    }

    @Test func aPauseOfTheDeviceKeepsItsPlace() {
        hear(0.5, at: 0)
        hear(0.5, at: 400)
        hear(0.5, at: 2400)
        hear(0.5, at: 2410)
        #expect(frames().map(\.index) == [0, 1, 201, 202])
    }

    @Test func aFullRingIsCountedAndKeepsThePlaces() {
        for tick in 0..<600 { hear(0.5, at: Double(tick) * 10) }
        #expect(tap.frames.refusedCount == 88)
        #expect(frames().map(\.index) == Array(0..<512))
        hear(0.5, at: 6000)
        #expect(frames().map(\.index) == [600])
    }

    @Test func loudnessIsLimited() {
        for tick in 0..<20 {
            send(0.9)
            hear(0.9, at: Double(tick) * 10)
        }
        #expect(frames().allSatisfy { $0.sample < 1 })
    }
}
