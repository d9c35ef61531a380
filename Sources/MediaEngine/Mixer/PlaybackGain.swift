import Primitives

/// How loud one participant, or everything, is played: 0…400 per cent of amplitude, moved in steps of decibels.
package struct PlaybackGain: Hashable, Sendable, BitwiseCopyable {
    package static let percentRange: ClosedRange<Double> = 0...400
    /// One press of a volume key.
    package static let stepDecibels = 2.0
    /// The quietest step above nothing.
    package static let lowestDecibels = -40.0
    package static let unity = PlaybackGain(percent: 100)

    /// 0…400; 100 leaves the sound as it is.
    package let percent: Double

    /// `percent` is brought into 0…400.
    package init(percent: Double) {
        self.percent = percent.isNaN ? 100 : percent.clamped(to: Self.percentRange)
    }

    /// The factor of amplitude.
    package var linear: Float {
        Float(percent / 100)
    }

    /// −∞ for 0 %, 12 dB for 400 %.
    package var decibels: Double {
        Primitives.decibels(amplitude: percent / 100)
    }

    /// The gain `count` steps up (down when negative), on the grid of steps around 0 dB.
    package func stepped(by count: Int) -> PlaybackGain {
        guard count != 0 else { return self }
        let start = percent > 0 ? max(decibels, Self.lowestDecibels) : Self.lowestDecibels - Self.stepDecibels
        // A twentieth of a step is as good as on the grid: 400 % is 12.04 dB.
        let position = (start / Self.stepDecibels * 20).rounded() / 20
        let onGrid = count > 0 ? position.rounded(.down) : position.rounded(.up)
        let target = (onGrid + Double(count)) * Self.stepDecibels
        guard target >= Self.lowestDecibels else { return PlaybackGain(percent: 0) }
        return PlaybackGain(percent: 100 * amplitude(decibels: target))
    }
}
