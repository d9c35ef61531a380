import Codecs
import MediaEngine
import Primitives
import Testing

/// Linear synthetic rooms: they compare settings with each other, not with a real room.
@Suite struct VoiceProcessorTests {
    @Test func echoIsReducedByThirtyDecibels() throws {
        let room = try Room(.only(echo: true))
        let before = try Room(.only()).residual(seconds: 6)
        let after = room.residual(seconds: 6)
        #expect(after < before - 30, "echo \(before) dB before, \(after) dB after")
    }

    @Test func nearTalkerSurvivesTheCanceller() throws {
        let level = try Room(.only(echo: true)).nearLevel(seconds: 6)
        let plain = try Room(.only()).nearLevel(seconds: 6)
        #expect(abs(level - plain) < 4, "near talker \(plain) dB before, \(level) dB after")
    }

    @Test func steadyNoiseIsReduced() throws {
        func residual(_ settings: AudioProcessingSettings) throws -> Double {
            let processor = try VoiceProcessor(settings)
            var generator = SplitMix64(seed: 9)
            var energy = 0.0
            for index in 0..<400 {
                var frame = (0..<480).map { _ in Float(0.01 * generator.normal()) }
                frame.withUnsafeMutableBufferPointer { processor.processCapture($0, delay: .zero) }
                if index >= 200 { energy += Signal.rms(frame[...]) }
            }
            return Signal.decibels(energy / 200)
        }
        let before = try residual(.only())
        let after = try residual(.only(noise: true))
        #expect(after < before - 8, "noise \(before) dB before, \(after) dB after")
    }

    @Test func gainControlRaisesAQuietTalker() throws {
        func level(_ settings: AudioProcessingSettings) throws -> Double {
            let processor = try VoiceProcessor(settings)
            var speech = SpeechLike(seed: 11)
            var energy = 0.0
            for index in 0..<800 {
                var frame = speech.next(480).map { $0 * 0.05 }
                frame.withUnsafeMutableBufferPointer { processor.processCapture($0, delay: .zero) }
                if index >= 400 { energy += Signal.rms(frame[...]) * Signal.rms(frame[...]) }
            }
            return Signal.decibels((energy / 400).squareRoot())
        }
        let before = try level(.only())
        let after = try level(.only(gain: true))
        #expect(after > before + 4, "talker \(before) dB before, \(after) dB after")
    }

    @Test func withEveryStageOffTheSoundIsUntouched() throws {
        let processor = try VoiceProcessor(.only())
        let tone = Signal.tone(440, count: 480)
        var frame = tone
        frame.withUnsafeMutableBufferPointer { processor.processCapture($0, delay: .milliseconds(20)) }
        #expect(frame == tone)
    }

    @Test func stagesSwitchWhileRunning() throws {
        let processor = try VoiceProcessor(.only())
        let tone = Signal.tone(440, count: 480 * 900)
        func run(_ frames: Range<Int>) -> Double {
            var last = 0.0
            for index in frames {
                var frame = Array(tone[(index * 480)..<(index * 480 + 480)])
                frame.withUnsafeMutableBufferPointer { processor.processCapture($0, delay: .zero) }
                last = Signal.rms(frame[...])
            }
            return Signal.decibels(last)
        }
        let off = run(0..<100)
        processor.apply(.only(noise: true))
        let on = run(100..<700)
        processor.apply(.only())
        let offAgain = run(700..<900)
        #expect(on < off - 6, "a steady tone is noise: \(off) dB off, \(on) dB on")
        #expect(abs(off - offAgain) < 0.1)
        #expect(processor.refusedFrameCount == 0)
    }
}

extension AudioProcessingSettings {
    static func only(echo: Bool = false, noise: Bool = false, gain: Bool = false) -> AudioProcessingSettings {
        var settings = AudioProcessingSettings()
        settings.cancelsEcho = echo
        settings.suppressesNoise = noise
        settings.controlsGain = gain
        return settings
    }
}

/// A loudspeaker heard by the microphone 30 ms later, at a third of its level.
private final class Room {
    private let processor: VoiceProcessor
    private var far = SpeechLike(seed: 5, pitch: 110)
    private var near = SpeechLike(seed: 6, pitch: 210)
    private var path = [Float](repeating: 0, count: 1440)

    init(_ settings: AudioProcessingSettings) throws {
        processor = try VoiceProcessor(settings)
    }

    /// The level of what is left of the echo in the last second, in decibels.
    func residual(seconds: Int) -> Double {
        run(frames: seconds * 100) { _ in false }
    }

    /// The level in the last second when only the near side talks in it, after the far side has.
    func nearLevel(seconds: Int) -> Double {
        run(frames: seconds * 100) { $0 >= (seconds - 2) * 100 }
    }

    private func run(frames: Int, nearTalks: (Int) -> Bool) -> Double {
        var energy = 0.0
        for index in 0..<frames {
            let isNear = nearTalks(index)
            let played = isNear ? [Float](repeating: 0, count: 480) : far.next(480)
            played.withUnsafeBufferPointer { processor.analyzePlayback($0) }
            path += played
            var captured = path.prefix(480).map { $0 / 3 }
            path.removeFirst(480)
            if isNear {
                for (sample, value) in near.next(480).enumerated() { captured[sample] += value }
            }
            captured.withUnsafeMutableBufferPointer { processor.processCapture($0, delay: .milliseconds(30)) }
            if index >= frames - 100 {
                let level = Signal.rms(captured[...])
                energy += level * level
            }
        }
        return Signal.decibels((energy / 100).squareRoot())
    }
}
