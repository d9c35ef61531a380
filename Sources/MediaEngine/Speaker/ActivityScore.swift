import Primitives

/// How much more likely `v` active units of `n` are under speech than under its absence, for every `v`.
///
/// Volfin and Cohen model the number of active units as binomial in speech and as exponential without it; the score is
/// the logarithm of their quotient, kept above zero so that scores can be divided.
struct ActivityScore: Sendable {
    private static let least = 1e-10
    private let scores: [Double]

    /// - Parameters:
    ///   - unitCount: n.
    ///   - probability: of one unit being active in speech.
    ///   - rate: λ of the exponential distribution.
    init(unitCount: Int, probability: Double, rate: Double) {
        var combinations = 1.0
        scores = (0...unitCount).map { active in
            if active > 0 { combinations *= Double(unitCount - active + 1) / Double(active) }
            let score =
                logarithm(combinations) + Double(active) * logarithm(probability)
                + Double(unitCount - active) * logarithm(1 - probability) - logarithm(rate) + rate * Double(active)
            return max(score, Self.least)
        }
    }

    /// How much more active one participant is than another: the logarithm of the quotient of their scores.
    func relative(_ candidate: Int, to other: Int) -> Double {
        logarithm(score(candidate) / score(other))
    }

    private func score(_ active: Int) -> Double {
        scores.indices.contains(active) ? scores[active] : Self.least
    }
}
