import Primitives

/// What one participant's level has been doing on three time scales: 20 ms, 100 ms and 1 s.
struct SpeechActivity: Sendable, BitwiseCopyable {
    /// Steps of loudness above the noise in one immediate unit (N1).
    static let immediateCount = 13
    /// Immediate units in a medium one (N2).
    static let mediumCount = 5
    /// Medium units in a long one (N3).
    static let longCount = 10

    /// dB in one immediate step.
    private static let step: Float = 3.5
    /// Immediate steps that make a unit active.
    private static let activeSteps = 3
    /// Active immediate units that make a medium unit active: one stop consonant in five is no pause.
    private static let activeUnits = 4
    /// Quieter than this is never speech.
    private static let quietest: Float = -52
    /// Where the noise is taken to be at least and at most.
    private static let floorRange: ClosedRange<Float> = -70 ... -45
    /// Below this there is no signal at all, which says nothing about the noise.
    private static let noSignal: Float = -100
    /// Immediate units in a block of the noise's minimum, and the blocks that are remembered: 15 s in all.
    private static let blockLength = 150
    private static let highest: Float = 0

    /// Steps above the noise in the last immediate unit, 0…13.
    private(set) var immediate = 0
    /// Whether each of the last 64 immediate units was active, the newest in bit 0.
    private var history: UInt64 = 0
    private var smoothed: Float = Self.noSignal
    private var minima = (highest, highest, highest, highest, highest)
    private var blockAge = 0

    /// Active immediate units among the last five.
    var medium: Int {
        (history & 0x1F).nonzeroBitCount
    }

    /// Active medium units among the last ten, counted back from now.
    var long: Int {
        var count = 0
        var rest = history
        for _ in 0..<Self.longCount {
            if (rest & 0x1F).nonzeroBitCount >= Self.activeUnits { count += 1 }
            rest >>= UInt64(Self.mediumCount)
        }
        return count
    }

    /// Whether the participant has been heard during the last 400 ms for as long as a syllable.
    var isSpeaking: Bool {
        (history & 0xF_FFFF).nonzeroBitCount >= Self.mediumCount
    }

    /// Takes the level of the next 20 ms.
    mutating func receive(_ level: AudioLevel) {
        let dBov = level.dBov
        trackNoise(dBov)
        let above = Int((dBov - noise) / Self.step)
        immediate = dBov > Self.quietest ? above.clamped(to: 0...Self.immediateCount) : 0
        history = history << 1 | (immediate >= Self.activeSteps ? 1 : 0)
    }

    private var noise: Float {
        min(minima.0, min(min(minima.1, minima.2), min(minima.3, minima.4))).clamped(to: Self.floorRange)
    }

    private mutating func trackNoise(_ dBov: Float) {
        guard dBov > Self.noSignal else { return }
        smoothed = smoothed > Self.noSignal ? smoothed + 0.25 * (dBov - smoothed) : dBov
        minima.0 = min(minima.0, smoothed)
        blockAge += 1
        guard blockAge >= Self.blockLength else { return }
        blockAge = 0
        minima = (smoothed, minima.0, minima.1, minima.2, minima.3)
    }
}
