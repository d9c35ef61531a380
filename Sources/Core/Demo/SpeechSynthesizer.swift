import Glibc
import Primitives

/// Speech-like sound: a pulse train through two formants, in syllables, with a pilot tone by which a listener finds the
/// guest in a mix. A value; no allocation.
struct SpeechSynthesizer: Sendable {
    /// The pilot tone of guest `index` in hertz.
    static func pilotHz(of index: Int) -> Double {
        650 + 210 * Double(index)
    }

    private let pitchHz: Double
    private let pilotHz: Double
    private var random: SplitMix64
    private var pitchPhase = 0.0
    private var pilotPhase = 0.0
    private var syllable = 0.0
    private var glide = 1.0
    private var loudness = 0.0
    private var first = Resonator()
    private var second = Resonator()

    private static let rateHz = 48_000.0
    private static let syllableHz = 4.0
    private static let pilotAmplitude = 0.03

    init(guest index: Int) {
        pitchHz = 105 + 31 * Double(index)
        pilotHz = Self.pilotHz(of: index)
        random = SplitMix64(seed: UInt64(index) + 1)
        chooseVowel()
    }

    /// The next sample; `talks` fades in and out within some milliseconds.
    mutating func next(talks: Bool) -> Float {
        loudness += ((talks ? 1 : 0) - loudness) * 0.002
        guard loudness > 1e-4 else { return 0 }
        let before = syllable
        syllable += Self.syllableHz / Self.rateHz
        if Int(before) != Int(syllable) { chooseVowel() }
        let envelope = 0.55 - 0.45 * cos(2 * .pi * syllable)
        pitchPhase += pitchHz * glide / Self.rateHz
        if pitchPhase >= 1 {
            pitchPhase -= floor(pitchPhase)
            // No voice keeps its pitch: the spread leaves the pilot the only steady tone.
            glide = 1 + 0.08 * sin(2 * .pi * syllable / 3) + 0.06 * (random.unit() - 0.5)
        }
        // A glottal pulse: a slow rise, a fast fall.
        let pulse = pitchPhase < 0.7 ? pitchPhase / 0.7 : (1 - pitchPhase) / 0.3
        let voice = first.filter(pulse - 0.5) + 0.6 * second.filter(pulse - 0.5)
        pilotPhase += pilotHz / Self.rateHz
        pilotPhase -= floor(pilotPhase)
        let sample = 0.05 * envelope * voice + Self.pilotAmplitude * sin(2 * .pi * pilotPhase)
        return Float(loudness * min(max(sample, -0.7), 0.7))
    }

    private mutating func chooseVowel() {
        first.tune(hz: 300 + 500 * random.unit(), widthHz: 90)
        second.tune(hz: 900 + 1400 * random.unit(), widthHz: 140)
    }
}

/// A two-pole resonance.
private struct Resonator: Sendable {
    private var feedback1 = 0.0
    private var feedback2 = 0.0
    private var gain = 0.0
    private var last1 = 0.0
    private var last2 = 0.0

    mutating func tune(hz: Double, widthHz: Double) {
        let radius = exp(-.pi * widthHz / 48_000)
        feedback1 = 2 * radius * cos(2 * .pi * hz / 48_000)
        feedback2 = -radius * radius
        gain = (1 - radius) * 8
    }

    mutating func filter(_ input: Double) -> Double {
        let output = gain * input + feedback1 * last1 + feedback2 * last2
        (last2, last1) = (last1, output)
        return output
    }
}
