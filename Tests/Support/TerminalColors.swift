/// The colours that a terminal of the xterm kind draws with: red, green, blue in 24 bits; `nil`: its own.
package struct TerminalColors: Hashable, Sendable {
    package var foreground: UInt32?
    package var background: UInt32?
    private var isReversed = false

    package init(foreground: UInt32? = nil, background: UInt32? = nil) {
        self.foreground = foreground
        self.background = background
    }

    /// Takes the parameters of an SGR sequence.
    mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        if rest.isEmpty { self = TerminalColors() }
        while let number = rest.popFirst() {
            switch number {
            case 0: self = TerminalColors()
            case 30...37: foreground = Self.entry(number - 30)
            case 40...47: background = Self.entry(number - 40)
            case 90...97: foreground = Self.entry(number - 82)
            case 100...107: background = Self.entry(number - 92)
            case 38: foreground = Self.color(&rest)
            case 48: background = Self.color(&rest)
            case 39: foreground = nil
            case 49: background = nil
            case 7, 27:
                if isReversed != (number == 7) { swap(&foreground, &background) }
                isReversed = number == 7
            default: break
            }
        }
    }

    private static func color(_ rest: inout ArraySlice<Int>) -> UInt32? {
        guard rest.popFirst() == 2 else { return entry(rest.popFirst() ?? 0) }
        let channels = rest.prefix(3)
        rest = rest.dropFirst(3)
        return channels.reduce(0) { $0 << 8 | UInt32(clamping: $1) }
    }

    /// xterm's first sixteen.
    private static let named: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    /// xterm's palette: sixteen names, a cube of six steps, greys.
    private static func entry(_ index: Int) -> UInt32 {
        let cube: [UInt32] = [0, 95, 135, 175, 215, 255]
        switch index {
        case 0...15: return named[index]
        case 16...231:
            let place = index - 16
            return cube[place / 36] << 16 | cube[place / 6 % 6] << 8 | cube[place % 6]
        default: return UInt32(clamping: index - 232) * 0x0A0A0A + 0x080808
        }
    }
}
