/// 24-bit colours on a terminal that shows them although its description knows the 256 of a palette alone: ncurses is
/// given an entry of the palette for each, and what it has drawn with that entry is told the colour itself. A screen has
/// few colours, and ncurses takes milliseconds for a frame where it deals with all of them.
struct DirectColors {
    /// The entries that stand for colours, from the last one down; the first sixteen are the terminal's own.
    private var entries: [RGB: UInt8] = [:]
    private var colors: [UInt8: RGB] = [:]

    /// The entry that stands for `color`; `nil`: there are no more.
    mutating func entry(for color: RGB) -> UInt8? {
        if let entry = entries[color] { return entry }
        guard entries.count < 240 else { return nil }
        let entry = UInt8(255 - entries.count)
        entries[color] = entry
        colors[entry] = color
        return entry
    }

    /// `bytes` with the colours where entries of the palette are chosen (`CSI 38;5;N m`, `CSI 48;5;N m`).
    func naming(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 4)
        var rest = bytes[...]
        while let escape = rest.firstIndex(of: 0x1B) {
            result += rest[..<escape]
            rest = rest[escape...]
            guard let choice = Self.choice(in: rest), let color = colors[choice.entry] else {
                result.append(rest.removeFirst())
                continue
            }
            result += Array("\u{1B}[\(choice.isBackground ? 4 : 3)8;2;\(color.red);\(color.green);\(color.blue)m".utf8)
            rest = rest.dropFirst(choice.count)
        }
        return result + rest
    }

    private static func choice(in bytes: ArraySlice<UInt8>) -> (isBackground: Bool, entry: UInt8, count: Int)? {
        let body = bytes.dropFirst(2)
        guard bytes.prefix(2).elementsEqual([0x1B, 0x5B]), let kind = body.first, kind == 0x33 || kind == 0x34,
            body.dropFirst().starts(with: Array("8;5;".utf8))
        else { return nil }
        let digits = body.dropFirst(5).prefix { (0x30...0x39).contains($0) }
        guard let entry = UInt8(String(decoding: digits, as: UTF8.self)),
            bytes[digits.endIndex...].first == UInt8(ascii: "m")
        else { return nil }
        return (kind == 0x34, entry, 7 + digits.count + 1)
    }
}
