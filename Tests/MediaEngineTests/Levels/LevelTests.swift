import Glibc
import MediaEngine
import Primitives
import Testing

@Suite struct LevelTests {
    @Test(arguments: [(1.0, 0.0), (0.5, -6.02), (0.1, -20), (0.001, -60)])
    func squareWaveOfFullScaleIsZero(amplitude: Double, dBov: Double) {
        let frame = (0..<480).map { Float($0 % 48 < 24 ? amplitude : -amplitude) }
        #expect(abs(Double(level(frame).dBov) - dBov) < 0.01)
    }

    @Test func fullSineIsThreeDecibelsBelow() {
        let frame = (0..<480).map { Float(sin(2 * Double.pi * Double($0) / 48)) }
        #expect(abs(level(frame).dBov + 3.01) < 0.01)
    }

    @Test func silenceAndNonsenseAreTheFloor() {
        #expect(level([Float](repeating: 0, count: 480)) == .silence)
        #expect(level([]) == .silence)
        #expect(AudioLevel(dBov: .nan) == .silence)
        #expect(AudioLevel(dBov: -300) == .silence)
        #expect(AudioLevel(dBov: 12).dBov == 0)
    }

    @Test(arguments: [(0.0, 0), (-0.4, 0), (-0.6, 1), (-29.5, 30), (-126.4, 126), (-127, 127)])
    func sevenBitsRoundToTheNearest(dBov: Double, bits: Int) {
        #expect(AudioLevel(dBov: Float(dBov)).rfc6464 == UInt8(bits))
    }

    @Test func sevenBitsComeBack() {
        for bits in UInt8(0)...127 { #expect(AudioLevel(rfc6464: bits).rfc6464 == bits) }
        #expect(AudioLevel(rfc6464: 255) == .silence)
    }

    private func level(_ frame: [Float]) -> AudioLevel {
        frame.withUnsafeBufferPointer { AudioLevel(of: $0) }
    }
}

@Suite struct LevelMeterTests {
    @Test func risesAtOnce() {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: -20), at: .zero)
        #expect(meter.level.dBov == -20)
    }

    @Test(arguments: [0, -20, -60])
    func isDarkWithinASecondOfTheEnd(level: Int) {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: Float(level)), at: .zero)
        var now = MonoTime.zero
        for _ in 0..<80 {
            now += .milliseconds(10)
            meter.receive(.silence, at: now)
        }
        #expect(meter.level == .silence)
    }

    @Test func fallsWithoutBeingFed() {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: -20), at: .zero)
        meter.tick(at: .zero + .milliseconds(100))
        #expect(abs(meter.level.dBov + 36) < 0.01)
    }

    @Test func doesNotFlickerBetweenSyllables() {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: -20), at: .zero)
        meter.receive(AudioLevel(dBov: -60), at: .zero + .milliseconds(50))
        #expect(meter.level.dBov > -30)
    }

    @Test func peakStandsThenFalls() {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: -10), at: .zero)
        var now = MonoTime.zero
        for _ in 0..<119 {
            now += .milliseconds(10)
            meter.receive(.silence, at: now)
        }
        #expect(meter.peak.dBov == -10)
        for _ in 0..<51 {
            now += .milliseconds(10)
            meter.receive(.silence, at: now)
        }
        #expect(abs(meter.peak.dBov + 50) < 1)
        meter.tick(at: now + .seconds(10))
        #expect(meter.peak == .silence)
    }

    @Test func louderSoundMovesThePeak() {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: -30), at: .zero)
        meter.receive(AudioLevel(dBov: -12), at: .zero + .milliseconds(10))
        #expect(meter.peak.dBov == -12)
    }

    @Test func timeThatGoesBackDoesNoHarm() {
        var meter = LevelMeter()
        meter.receive(AudioLevel(dBov: -30), at: .zero + .seconds(5))
        meter.tick(at: .zero)
        #expect(meter.level.dBov == -30)
    }
}

@Suite struct VoiceActivityTests {
    @Test func voiceIsToldFromNoise() {
        var activity = VoiceActivity()
        for _ in 0..<100 { _ = activity.receive(AudioLevel(dBov: -50)) }
        let answers = [activity.receive(AudioLevel(dBov: -48)), activity.receive(AudioLevel(dBov: -25))]
        #expect(answers == [false, true])
    }

    @Test func aTalkerFromTheFirstFrameIsHeard() {
        var activity = VoiceActivity()
        let isVoice = activity.receive(AudioLevel(dBov: -20))
        #expect(isVoice)
    }

    @Test func gapsInWordsAreBridged() {
        var activity = VoiceActivity(hangover: 3)
        _ = activity.receive(AudioLevel(dBov: -20))
        let after = (0..<4).map { _ in activity.receive(AudioLevel(dBov: -70)) }
        #expect(after == [true, true, false, false])
    }

    @Test func silenceIsNoVoice() {
        var activity = VoiceActivity()
        let voiced = (0..<50).count { _ in activity.receive(.silence) }
        #expect(voiced == 0)
    }
}
