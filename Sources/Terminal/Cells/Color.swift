/// A colour as a theme names it.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// An entry of the terminal's palette: 0…15 vary by the user's scheme, 16…255 are fixed (xterm).
    case indexed(UInt8)
    /// 24-bit colour, shown as the nearest palette entry where the terminal has no such colours.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
    /// 24-bit colour and what takes its place on terminals of 256 and of 16 colours; `nil`: the terminal's own.
    case graded(red: UInt8, green: UInt8, blue: UInt8, palette: UInt8?, base: UInt8?)

    /// The sixteen names in palette order.
    package static let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
        "bright-black", "bright-red", "bright-green", "bright-yellow",
        "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    ]

    /// Reads `default`, one of `names`, `0`…`255` or `#rrggbb`.
    package init?(parsing text: String) {
        if text == "default" {
            self = .standard
        } else if let index = Self.names.firstIndex(of: text) {
            self = .indexed(UInt8(index))
        } else if text.hasPrefix("#"), text.utf8.count == 7, let value = UInt32(text.dropFirst(), radix: 16) {
            self = .rgb(
                red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
                blue: UInt8(truncatingIfNeeded: value))
        } else if let index = UInt8(text), !text.hasPrefix("+") {
            self = .indexed(index)
        } else {
            return nil
        }
    }

    /// Reads a palette's entry: a colour, or `#rrggbb;PALETTE;BASE` for terminals of 24-bit colour, of 256 and of 16
    /// colours. What is left out is the nearest.
    package init?(grades text: String) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
            .map { Color(parsing: String($0.drop { $0 == " " }.prefix { $0 != " " })) }
        guard parts.count > 1 else {
            self.init(parsing: text)
            return
        }
        guard parts.count <= 3, case .rgb(let red, let green, let blue)? = parts[0],
            let palette = parts[1]?.entry(below: 256),
            let base = parts.count > 2 ? parts[2]?.entry(below: 16) : parts[0]?.reduced(to: .sixteen).entry(below: 16)
        else { return nil }
        self = .graded(red: red, green: green, blue: blue, palette: palette, base: base)
    }

    /// The palette's entry that this is, `.some(nil)` for the terminal's own; `nil`: it is none below `limit`.
    private func entry(below limit: Int) -> UInt8?? {
        switch self {
        case .standard: .some(nil)
        case .indexed(let index) where Int(index) < limit: index
        case .indexed, .rgb, .graded: nil
        }
    }
}
