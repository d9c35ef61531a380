import Glibc
import Primitives

/// A voice-like sound: a gliding buzz through three resonances, in syllables. Seeded, so always the same.
struct SpeechLike {
    private var generator: SplitMix64
    private var phase = 0.0
    private var sample = 0
    private var states = [(Double, Double)](repeating: (0, 0), count: 3)
    private let pitch: Double

    init(seed: UInt64, pitch: Double = 120) {
        generator = SplitMix64(seed: seed)
        self.pitch = pitch
    }

    mutating func next(_ count: Int) -> [Float] {
        (0..<count).map { _ in next() }
    }

    private mutating func next() -> Float {
        let time = Double(sample) / 48_000
        sample += 1
        phase += pitch * (1 + 0.15 * sin(2 * .pi * 1.7 * time)) / 48_000
        var pulse = (generator.unit() - 0.5) * 0.02
        if phase >= 1 {
            phase -= 1
            pulse += 1
        }
        let syllable = max(0, sin(2 * .pi * 3.1 * time))
        var sum = 0.0
        let shift = 1 + 0.2 * sin(2 * .pi * 2.3 * time)
        for (index, (frequency, gain)) in [(500.0, 1.0), (1500.0, 0.5), (2700.0, 0.25)].enumerated() {
            let radius = 0.992
            let (last, older) = states[index]
            let value = pulse + 2 * radius * cos(2 * .pi * frequency * shift / 48_000) * last - radius * radius * older
            states[index] = (value, last)
            sum += gain * value
        }
        return Float(0.06 * syllable * sum)
    }
}
