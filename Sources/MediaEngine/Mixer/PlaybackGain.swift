import Primitives

/// How loud one participant, or everything, is played: 0…400 per cent of amplitude.
package struct PlaybackGain: Hashable, Sendable, BitwiseCopyable {
    package static let percentRange: ClosedRange<Double> = 0...400
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
}
