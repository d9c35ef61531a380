import MediaEngine
import Primitives
import Testing

@Suite struct ToneTests {
    @Test(arguments: [Tone.joined, .left, .detached])
    func toneIsShortAndSoft(tone: Tone) {
        let rig = Rig()
        rig.pipeline.play(tone)
        let played = rig.run(frames: 50)
        #expect(rms(played[..<4800]) > 0.01)
        #expect(played.map(abs).max() ?? 1 < 0.1)
        #expect(played[10_000...].allSatisfy { $0 == 0 })
        #expect(steepest(played) < 0.01)
    }

    @Test func tonesWaitForEachOther() {
        let rig = Rig()
        rig.pipeline.play(.joined)
        rig.pipeline.play(.left)
        let played = rig.run(frames: 60)
        #expect(rms(played[9600..<19_000]) > 0.01)
        #expect(played[19_300...].allSatisfy { $0 == 0 })
    }

    @Test func ringGoesOnUntilItIsStopped() {
        let rig = Rig()
        rig.pipeline.play(.ring)
        let played = rig.run(frames: 450)
        for cycle in 0..<2 { #expect(rms(played[(cycle * 96_000)..<(cycle * 96_000 + 9600)]) > 0.01) }
        rig.pipeline.stopRinging()
        let after = rig.run(frames: 300)
        #expect(steepest([played[played.count - 1]] + after) < 0.01)
        #expect(after[960...].allSatisfy { $0 == 0 })
    }

    @Test func aRingAtADeviceOfItsOwnFadesToo() {
        let ring = RingTone()
        var now = MonoTime.zero
        func render(_ frames: Int) -> [Float] {
            (0..<frames).flatMap { _ in
                let frame = UnsafeMutableBufferPointer<Float>.allocate(capacity: AudioFormat.frameSampleCount)
                defer { frame.deallocate() }
                frame.initialize(repeating: 1)
                ring.render(into: frame, latency: .milliseconds(40), at: now)
                now = now + AudioFormat.frameDuration
                return Array(frame)
            }
        }
        let played = render(10)
        #expect(rms(played[4000...]) > 0.01 && ring.silentAt == nil)
        ring.stop()
        let stoppedAt = now
        let after = render(3)
        #expect(steepest([played[played.count - 1]] + after) < 0.01)
        #expect(after[960...].allSatisfy { $0 == 0 })
        let silentAt = ring.silentAt ?? .zero
        #expect(
            silentAt >= stoppedAt + .milliseconds(50) && silentAt <= stoppedAt + .milliseconds(70), "and it is told")
    }

    @Test func tonesAreHeardByTheDeafened() {
        let rig = Rig()
        rig.pipeline.setDeafened(true)
        rig.pipeline.setHeld(true)
        rig.tick()
        rig.pipeline.play(.joined)
        #expect(rms(rig.run(frames: 10)) > 0.01)
    }

    @Test func tonesAreNotSent() {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        rig.pipeline.play(.ring)
        _ = rig.run(frames: 20)
        #expect(rig.packets.allSatisfy { $0.header.level == .silence })
    }
}
