/// What a terminal tells of keys beyond their text: the flags of the kitty keyboard protocol
/// (https://sw.kovidgoyal.net/kitty/keyboard-protocol).
package struct KeyboardFlags: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No key is told by bytes that could be another's.
    package static let disambiguated = KeyboardFlags(rawValue: 1)
    /// When a key is let go, but of enter, tab and backspace.
    package static let releases = KeyboardFlags(rawValue: 2)
}
