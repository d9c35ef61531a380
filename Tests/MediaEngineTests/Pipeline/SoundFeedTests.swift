import Primitives
import Testing

@testable import MediaEngine

/// A clip's sound beside the microphone's, on a virtual clock.
struct SoundFeedTests {
    private let feed = SoundFeed()

    private func append(_ value: Float, at milliseconds: Int) {
        [Float](repeating: value, count: 480).withUnsafeBufferPointer {
            feed.append($0, due: .zero + .milliseconds(milliseconds))
        }
    }

    /// What comes beside a microphone that gives 0.25; `nil`: nothing.
    private func next(at milliseconds: Int) -> Float? {
        var frame = [Float](repeating: 0.25, count: 480)
        let hasSound = frame.withUnsafeMutableBufferPointer {
            feed.addNext(to: $0, at: .zero + .milliseconds(milliseconds))
        }
        return hasSound ? frame[240] - 0.25 : nil
    }

    @Test func eachFrameComesAtItsTimeOnce() {
        for index in 0..<20 { append(Float(index) / 32, at: 100 + index * 10) }
        #expect((0..<9).allSatisfy { next(at: $0 * 10) == nil })
        #expect((0..<20).map { next(at: 104 + $0 * 10) } == (0..<20).map { Float($0) / 32 })
        #expect(next(at: 304) == nil)
    }

    @Test func burstsOfTheDeviceLeaveNoHole() {
        for index in 0..<40 { append(Float(index) / 64, at: index * 10) }
        let taken = (0..<40).map { next(at: $0 / 4 * 40 + 5) }
        #expect(taken == (0..<40).map { Float($0) / 64 })
    }

    @Test func whatNobodyTookInTimeIsLeftOut() {
        for index in 0..<40 { append(Float(index) / 64, at: index * 10) }
        #expect(next(at: 0) == 0)
        #expect(next(at: 200) == Float(19) / 64, "the microphone was muted meanwhile")
        #expect(next(at: 210) == Float(20) / 64)
        for index in 0..<200 { append(0.5, at: 1000 + index * 10) }
        #expect(next(at: 5000) == nil)
        append(0.75, at: 5000)
        #expect(next(at: 5002) == 0.75)
    }

    @Test func whatIsLeftOfTheLastPassIsLeftOut() {
        for index in 0..<20 { append(0.25, at: index * 10) }
        #expect(next(at: 0) == 0.25)
        feed.beginAnew()
        for index in 0..<20 { append(0.5, at: 10 + index * 10) }
        #expect((1...20).allSatisfy { next(at: $0 * 10) == 0.5 })
    }

    /// A tenth of a per cent apart for ten minutes: far more than devices are.
    @Test(arguments: [0.999, 1.001]) func aClockThatDriftsStaysNearItsTime(rate: Double) {
        var (appended, missing) = (0, 0)
        for tick in 0..<60_000 {
            let now = Double(tick) * 10 * rate
            while Double(appended) * 10 < now + 200 {
                append(Float(appended % 1024) / 2048, at: appended * 10)
                appended += 1
            }
            guard let value = next(at: Int(now)) else {
                missing += 1
                continue
            }
            let place = Int(value * 2048)
            let distance = ((Int(now / 10) - place) % 1024 + 1536) % 1024 - 512
            #expect(abs(distance) <= 7, "at \(tick)")
        }
        #expect(missing <= 100, "\(missing) of 60,000 frames")
    }

    @Test func itGoesWithTheMicrophoneAndNeverWithoutIt() throws {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder(frameSampleCount: 480))
        rig.pipeline.setFeed(feed)
        func run() -> [Float] {
            rig.forgetPackets()
            for _ in 0..<20 {
                [Float](repeating: 0.5, count: 480).withUnsafeBufferPointer {
                    feed.append($0, due: rig.now - rig.captureLatency)
                }
                rig.tick { _ in 0.125 }
            }
            return rig.packets.map { Float($0.payload.withUnsafeBytes { $0.load(as: Int16.self) }) / 32_767 }
        }
        let together = run()
        #expect(together.count == 20 && together.dropFirst(5).allSatisfy { abs($0 - 0.625) < 0.001 })
        let level = try #require(rig.packets.last).header.level
        #expect(abs(level.dBov + 4.1) < 0.2, "\(level)")
        rig.pipeline.setMuted(true)
        #expect(run().isEmpty)
        rig.pipeline.setMuted(false)
        #expect(run().last.map { abs($0 - 0.625) < 0.001 } == true)
        rig.pipeline.setHeld(true)
        #expect(run().isEmpty)
        rig.pipeline.setHeld(false)
        rig.pipeline.setFeed(nil)
        #expect(run().last.map { abs($0 - 0.125) < 0.001 } == true)
    }

    @Test func whatIsTooLoudTogetherIsLimited() {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder(frameSampleCount: 480))
        rig.pipeline.setFeed(feed)
        for _ in 0..<20 {
            [Float](repeating: 0.9, count: 480).withUnsafeBufferPointer {
                feed.append($0, due: rig.now - rig.captureLatency)
            }
            rig.tick { _ in 0.9 }
        }
        #expect(rig.packets.last.map { $0.payload.withUnsafeBytes { $0.load(as: Int16.self) } < 32_000 } == true)
    }
}
