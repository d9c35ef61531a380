import Primitives

/// The highest level of the last moments, which then falls.
struct PeakHold: Hashable, Sendable {
    private(set) var levelDBov = -127
    private var since = MonoTime.zero

    /// How long a peak stands, and how fast it falls afterwards in dB for each level update (10 a second).
    static let holdTime = Duration.milliseconds(1500)
    static let fallPerUpdate = 3

    mutating func update(levelDBov level: Int, at now: MonoTime) {
        if level >= levelDBov {
            (levelDBov, since) = (level, now)
        } else if now - since > Self.holdTime {
            levelDBov = max(level, levelDBov - Self.fallPerUpdate)
        }
    }
}
