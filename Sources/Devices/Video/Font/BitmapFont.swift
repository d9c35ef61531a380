/// A font of fixed cells, 8 pixels wide and 13 high.
struct BitmapFont: Sendable {
    static let standard = BitmapFont(fixed8x13)

    static let width = 8
    static let height = 13
    /// Shown for what has no glyph: an empty box.
    private static let unknown: [UInt8] = [0, 0, 0x7e, 0x42, 0x42, 0x42, 0x42, 0x42, 0x42, 0x42, 0x7e, 0, 0]

    /// Nothing.
    static let blank = [UInt8](repeating: 0, count: height)[...]

    private var offsets: [UInt32: Int] = [:]
    private var rows: [UInt8] = BitmapFont.unknown

    /// `text`: lines of a code point and the glyphs of it and its successors, in hexadecimal.
    init(_ text: String) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " "))
            guard let first = words.first.flatMap({ UInt32(Substring($0), radix: 16) }) else { continue }
            for (index, word) in words.dropFirst().enumerated() where word.count == 2 * Self.height {
                offsets[first + UInt32(index)] = rows.count
                rows += Self.bytes(word)
            }
        }
    }

    /// The 13 rows of a character, from the top; the leftmost pixel is the highest bit.
    func glyph(_ character: UInt32) -> ArraySlice<UInt8> {
        if let offset = offsets[character] { return rows[offset..<offset + Self.height] }
        if (0x2800...0x28ff).contains(character) { return Self.braille(UInt8(character & 0xff))[...] }
        return rows[..<Self.height]
    }

    /// Braille patterns (Unicode, section 21.1): bit n of the code point is dot n + 1; dots 7 and 8 are the lowest.
    private static func braille(_ dots: UInt8) -> [UInt8] {
        let places: [(row: Int, bits: UInt8)] = [
            (1, 0x60), (4, 0x60), (7, 0x60), (1, 0x06), (4, 0x06), (7, 0x06), (10, 0x60), (10, 0x06),
        ]
        var rows = [UInt8](repeating: 0, count: height)
        for (bit, place) in places.enumerated() where dots & (1 << bit) != 0 {
            rows[place.row] |= place.bits
            rows[place.row + 1] |= place.bits
        }
        return rows
    }

    private static func bytes(_ hexadecimal: Substring.UTF8View) -> [UInt8] {
        let digits = hexadecimal.map { $0 & 0x40 == 0 ? $0 & 0xf : ($0 & 0xf) + 9 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
