import Primitives

/// How a listener would rate the sound: an estimate by the E-model (ITU-T G.107), to be labelled as one.
///
/// For Opus the ITU has published no figures; its robustness is fitted to measured PESQ-WB of plain concealment at 5, 10
/// and 20 % random loss, which it meets within 0.15.
package struct EModel: Hashable, Sendable {
    /// A codec's impairment without loss, and its robustness against loss (G.113, appendix I).
    package struct Codec: Hashable, Sendable {
        package var impairment: Double
        package var lossRobustness: Double

        package static let opus = Codec(impairment: 0, lossRobustness: 8.5)
        /// With concealment (G.711, appendix I).
        package static let g711 = Codec(impairment: 0, lossRobustness: 25.1)
    }

    /// The rating without any impairment that this model counts.
    package static let bestRating = 93.2

    /// The rating R, 0…100.
    package let rating: Double

    /// `lossRatio` is what is left after repair, 0…1; `meanBurst` how many packets are lost in a row on average; `delay`
    /// is one way from mouth to ear.
    package init(codec: Codec, lossRatio: Double, meanBurst: Double = 1, delay: Duration) {
        let loss = min(max(lossRatio, 0), 1)
        let burstRatio = max(1, meanBurst * (1 - loss))
        let percent = loss * 100
        let lossImpairment =
            codec.impairment + (95 - codec.impairment) * percent / (percent / burstRatio + codec.lossRobustness)
        rating = min(max(Self.bestRating - Self.delayImpairment(delay) - lossImpairment, 0), 100)
    }

    /// The mean opinion score, 1…4.5 (G.107, annex B). The cubic is only asked within its range.
    package var meanOpinionScore: Double {
        guard rating > 0 else { return 1 }
        guard rating < 100 else { return 4.5 }
        return max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6)
    }

    /// Little up to 177.3 ms, 0.134 a millisecond beyond.
    private static func delayImpairment(_ delay: Duration) -> Double {
        let milliseconds = max(delay.milliseconds, 0)
        return 0.024 * milliseconds + 0.11 * max(milliseconds - 177.3, 0)
    }
}
