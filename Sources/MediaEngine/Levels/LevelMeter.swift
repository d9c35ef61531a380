package import Primitives

/// What a meter shows: it rises at once, falls steadily, and holds its peak for a while.
///
/// From any level it is down to nothing 0.8 s after the sound ended, so that together with a jitter buffer's
/// concealment it is dark within 1 s of the last packet.
package struct LevelMeter: Sendable, BitwiseCopyable {
    /// dB a second by which the bar falls.
    package static let fall: Float = 160
    /// How long the peak stands.
    package static let peakHold = Duration.milliseconds(1200)
    /// dB a second by which the peak falls afterwards.
    package static let peakFall: Float = 80

    /// The bar.
    package private(set) var level = AudioLevel.silence
    /// The mark of the loudest moment of late.
    package private(set) var peak = AudioLevel.silence
    private var last: MonoTime?
    private var peakTime = MonoTime.zero

    package init() {}

    /// Takes the level of one frame.
    package mutating func receive(_ new: AudioLevel, at now: MonoTime) {
        tick(at: now)
        level = max(level, new)
        if level >= peak {
            peak = level
            peakTime = now
        }
    }

    /// Lets the meter fall as far as it has by `now`.
    package mutating func tick(at now: MonoTime) {
        let elapsed = last.map { Float(max(0, (now - $0).seconds)) } ?? 0
        last = now
        level = AudioLevel(dBov: level.dBov - Self.fall * elapsed)
        let falling = min(elapsed, Float((now - peakTime - Self.peakHold).seconds))
        if falling > 0 {
            peak = max(level, AudioLevel(dBov: peak.dBov - Self.peakFall * falling))
        }
    }
}
