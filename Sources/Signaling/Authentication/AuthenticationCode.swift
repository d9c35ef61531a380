/// The code that two people read to each other: equal on both sides when nobody stands between them.
package struct AuthenticationCode: Hashable, Sendable, CustomStringConvertible {
    /// How much a man in the middle has to guess.
    package static let bitCount = 32

    let value: UInt32

    init(value: UInt32) {
        self.value = value
    }

    /// Four words, to be read out in this order.
    package var words: [String] {
        stride(from: 24, through: 0, by: -8).map { shift in
            String(AuthenticationWords.all[Int(value >> UInt32(shift) & 0xFF)])
        }
    }

    /// The words with spaces between: `amber ocean robin tulip`.
    package var description: String {
        words.joined(separator: " ")
    }
}
