/// Tells the quiet stretches of a sound from its loud ones.
struct Loudness: Sendable {
    /// How much below the loudest a frame is quiet, in dB.
    private static let quietMargin: Float = 20
    /// What is forgotten of the loudest in each frame of 10 ms, in dB: 3 dB a second.
    private static let decay: Float = 0.03
    private static let silence: Float = -60

    private var loudestDBov: Float = -127
    private var lastDBov: Float = -127

    init() {}

    mutating func record(levelDBov: Float) {
        lastDBov = levelDBov
        loudestDBov = max(levelDBov, loudestDBov - Self.decay)
    }

    /// Whether the last frame was quiet.
    var isQuiet: Bool {
        lastDBov < max(Self.silence, loudestDBov - Self.quietMargin)
    }
}
