import Glibc
import Primitives

/// A seeded meeting as levels every 10 ms: one participant at a time has the turn, others murmur, cough and make noise.
struct Conversation {
    struct Turn {
        var speaker: Int
        var start: Int
        var end: Int
    }

    /// Frames of 10 ms.
    let frameCount: Int
    let participantCount: Int
    private(set) var turns: [Turn] = []
    /// `levels[frame * participantCount + participant]`, in dBov.
    private(set) var levels: [Float]
    private var generator: SplitMix64

    init(seed: UInt64, minutes: Int = 10, participantCount: Int = 12) {
        generator = SplitMix64(seed: seed)
        frameCount = minutes * 6000
        self.participantCount = participantCount
        levels = []
        levels.reserveCapacity(frameCount * participantCount)
        for index in 0..<(frameCount * participantCount) {
            // One in three has a noisy room; the rest are clean.
            let floor: Float = index % participantCount % 3 == 0 ? -45 : -65
            levels.append(floor + Float(generator.normal()))
        }
        takeTurns()
        cough()
    }

    /// Whose turn it is at `frame`, or was at most `grace` frames ago.
    func holders(at frame: Int, grace: Int) -> Set<Int> {
        Set(turns.lazy.filter { $0.start <= frame && frame <= $0.end + grace }.map(\.speaker))
    }

    private mutating func takeTurns() {
        var frame = 100
        var last = -1
        while frame < frameCount - 1000 {
            var speaker = Int(generator.next() % UInt64(participantCount))
            if speaker == last { speaker = (speaker + 1) % participantCount }
            last = speaker
            let length = Int(30 + generator.unit() * 770)
            speak(speaker, from: frame, to: frame + length)
            turns.append(Turn(speaker: speaker, start: frame, end: frame + length))
            if generator.unit() < 0.3 {
                murmur(except: speaker, within: frame..<(frame + length))
            }
            frame += length + Int(generator.unit() * 60)
        }
    }

    /// "Mhm" of 200 ms while another talks: heard, but no turn.
    private mutating func murmur(except speaker: Int, within turn: Range<Int>) {
        let other = (speaker + 3) % participantCount
        let start = turn.lowerBound + Int(generator.unit() * Double(turn.count))
        speak(other, from: start, to: start + 20)
    }

    private mutating func speak(_ speaker: Int, from start: Int, to end: Int) {
        let loudness = Float(-18 - speaker % 5 * 3)
        var frame = start
        while frame < end {
            // A syllable of 120 to 260 ms, then a closure of 20 to 60 ms, and now and then a breath.
            let syllable = Int(12 + generator.unit() * 14)
            for offset in 0..<syllable where frame + offset < end {
                let shape = Float(sin(Double.pi * (Double(offset) + 0.5) / Double(syllable)))
                set(loudness - 8 * (1 - shape) + Float(generator.normal()), of: speaker, at: frame + offset)
            }
            frame += syllable + Int(2 + generator.unit() * 4) + (generator.unit() < 0.08 ? 20 : 0)
        }
    }

    /// 100 to 150 ms at −10 dBov, every four seconds, by anybody.
    private mutating func cough() {
        for second in stride(from: 2, to: frameCount / 100 - 2, by: 4) {
            let participant = Int(generator.next() % UInt64(participantCount))
            let start = second * 100 + Int(generator.unit() * 100)
            for offset in 0..<Int(10 + generator.unit() * 5) { set(-10, of: participant, at: start + offset) }
        }
    }

    private mutating func set(_ level: Float, of participant: Int, at frame: Int) {
        let index = frame * participantCount + participant
        if levels.indices.contains(index) { levels[index] = max(levels[index], level) }
    }
}
