import Testing

/// One datagram, named for what is special or wrong about it.
struct Fixture: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]

    /// `hex` may have blanks between its pairs of digits.
    init(_ name: String, _ hex: String) {
        self.name = name
        let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
        bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    var testDescription: String {
        name
    }

    /// The fixture called `name` in `list`.
    static func bytes(_ name: String, in list: [Fixture]) -> [UInt8] {
        list.first { $0.name == name }?.bytes ?? []
    }
}
