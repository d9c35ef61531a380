import Primitives

/// Plays one tone at a time into the mix.
struct ToneVoice: Sendable, BitwiseCopyable {
    /// −26 dBov at the peak: noticed, not startling.
    private static let amplitude = 0.07
    /// Samples of rise and fall at a note's edges.
    private static let edge = 480.0

    private var tone: Tone?
    private var next: Tone?
    private var position = 0
    /// Samples left until a stopped ring is silent.
    private var fading: Int?

    /// Whether nothing plays.
    var isSilent: Bool { tone == nil }

    /// Begins `tone`, or queues it behind the one that plays.
    mutating func play(_ tone: Tone) {
        if self.tone == nil || fading != nil {
            start(tone)
        } else if self.tone != tone {
            next = tone
        }
    }

    /// Fades out what plays.
    mutating func stop() {
        if tone != nil, fading == nil { fading = Int(Self.edge) }
    }

    /// Adds its samples to `frame`.
    mutating func add(to frame: UnsafeMutableBufferPointer<Float>) {
        guard tone != nil else { return }
        for index in frame.indices {
            guard let tone else { return }
            frame[index] += Float(sample(of: tone) * fade())
            position += 1
            if position >= tone.sampleCount { finish(tone) }
        }
    }

    private mutating func start(_ tone: Tone?) {
        self.tone = tone
        next = nil
        position = 0
        fading = nil
    }

    private mutating func finish(_ tone: Tone) {
        position = 0
        if tone != .ring { start(next) }
    }

    private mutating func fade() -> Double {
        guard let left = fading else { return 1 }
        if left <= 0 {
            start(next)
            return 0
        }
        fading = left - 1
        return Double(left) / Self.edge
    }

    private func sample(of tone: Tone) -> Double {
        var sum = 0.0
        for index in 0..<Tone.noteCount {
            let note = tone.note(index)
            let offset = position - note.start
            guard offset >= 0, offset < note.count else { continue }
            let distance = Double(min(offset, note.count - offset))
            let shape = min(1, distance / Self.edge)
            let angle = 2 * Double.pi * note.frequency * Double(offset) / Double(AudioFormat.rateHz)
            sum += Self.amplitude * shape * cosine(angle - Double.pi / 2)
        }
        return sum
    }
}
