/// A short soft sound of the program itself, heard by this side only.
package enum Tone: UInt8, Sendable, BitwiseCopyable, CaseIterable {
    /// Two notes up.
    case joined
    /// Two notes down.
    case left
    /// One low note: the last console is gone.
    case detached
    /// One short note, deeper or higher: the microphone sends nothing, or sends again.
    case muted
    case unmuted
    /// Two notes every two seconds, until `stopRinging`.
    case ring

    /// One note: its start and length in samples, its pitch.
    struct Note {
        var start: Int
        var count: Int
        var frequency: Double
    }

    static let noteCount = 2

    /// The notes of the tone; a switch, because a table would be allocated on first use.
    func note(_ index: Int) -> Note {
        let isFirst = index == 0
        switch self {
        case .joined: return Note(start: isFirst ? 0 : 4800, count: 4320, frequency: isFirst ? 523.25 : 659.25)
        case .left: return Note(start: isFirst ? 0 : 4800, count: 4320, frequency: isFirst ? 659.25 : 523.25)
        case .detached: return Note(start: isFirst ? 0 : 4320, count: 4320, frequency: 329.63)
        case .muted, .unmuted:
            return Note(start: 0, count: isFirst ? 2880 : 0, frequency: self == .muted ? 349.23 : 698.46)
        case .ring: return Note(start: isFirst ? 0 : 12_000, count: 9600, frequency: isFirst ? 587.33 : 493.88)
        }
    }

    /// Samples until it is over, or begins again.
    var sampleCount: Int {
        self == .ring ? 96_000 : 9600
    }
}
