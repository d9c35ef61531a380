/// A small seeded generator (Steele, Lea and Flood's SplitMix64): the same seed gives the same numbers everywhere.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number in 0..<1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A standard normal number (Box and Muller).
    package mutating func normal() -> Double {
        let radius = (-2 * logarithm(max(unit(), .leastNormalMagnitude))).squareRoot()
        return radius * cosine(2 * .pi * unit())
    }
}
