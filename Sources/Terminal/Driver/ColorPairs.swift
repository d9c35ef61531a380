import CNcurses

/// ncurses' colour pairs, one for each combination that was ever shown.
struct ColorPairs {
    private struct Combination: Hashable {
        var foreground: Color
        var background: Color
    }

    private var numbers: [Combination: Int32] = [:]
    private let limit: Int32
    /// Whether the terminal's own colours can be named; else they are white on black.
    private let hasDefaults: Bool
    /// Whether a colour's number is its 24 bits. The first eight numbers are the palette's even so.
    private let isDirect: Bool

    /// For the current screen, after `start_color`.
    init(isDirect: Bool) {
        self.isDirect = isDirect
        hasDefaults = use_default_colors() == OK
        limit = Int32(min(cncurses_color_pairs(), 65536))
    }

    /// The pair that shows `style`'s colours; 0, the terminal's own, when there is no more room.
    mutating func number(for style: Style) -> Int32 {
        guard style.foreground != .standard || style.background != .standard else { return 0 }
        let combination = Combination(foreground: style.foreground, background: style.background)
        if let number = numbers[combination] { return number }
        let number = Int32(numbers.count + 1)
        guard number < limit else { return 0 }
        init_extended_pair(number, code(style.foreground, default: 7), code(style.background, default: 0))
        numbers[combination] = number
        return number
    }

    private func code(_ color: Color, default standard: Int32) -> Int32 {
        if case .indexed(let index) = color, !isDirect || index < 8 { return Int32(index) }
        guard isDirect, let components = color.components else { return hasDefaults ? -1 : standard }
        let bits = components.red << 16 | components.green << 8 | components.blue
        return Int32(bits < 8 ? 0 : bits)
    }
}
