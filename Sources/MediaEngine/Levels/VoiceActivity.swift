/// Whether a 10 ms frame holds a voice, by its level over the noise that it stands in.
///
/// The floor sinks at once to any lower level and creeps up by 1 dB in 0.5 s, so a voice does not raise it before the
/// next pause.
package struct VoiceActivity: Sendable, BitwiseCopyable {
    /// Below this nobody is heard.
    private static let absolute: Float = -55
    private static let aboveFloor: Float = 9
    private static let rise: Float = 0.02
    /// A floor above this is no noise: somebody has talked from the start.
    private static let highestFloor: Float = -35

    private var floor: Float = Self.highestFloor
    /// Frames for which the voice counts as going on after its last loud one: the gaps in words.
    private let hangover: Int
    private var remaining = 0

    package init(hangover: Int = 15) {
        self.hangover = hangover
    }

    /// Takes the level of the next frame. Returns whether a voice is, or just was, in it.
    package mutating func receive(_ level: AudioLevel) -> Bool {
        floor = min(level.dBov, min(floor + Self.rise, Self.highestFloor))
        if level.dBov > Self.absolute, level.dBov > floor + Self.aboveFloor {
            remaining = hangover
            return true
        }
        remaining = max(0, remaining - 1)
        return remaining > 0
    }
}
