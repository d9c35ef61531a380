/// A colour as a theme names it.
package enum Color: Hashable, Sendable {
    /// The terminal's own foreground or background.
    case standard
    /// An entry of the terminal's palette: 0…15 vary by the user's scheme, 16…255 are fixed (xterm).
    case indexed(UInt8)
    /// 24-bit colour, shown as the nearest palette entry.
    case rgb(red: UInt8, green: UInt8, blue: UInt8)

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
}
