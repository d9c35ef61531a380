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
    /// 24-bit colours that the terminal's description does not know of; `nil`: it knows of what there is.
    private var named: DirectColors?

    /// For the current screen, after `start_color`.
    ///
    /// - Parameters:
    ///   - isDirect: whether the terminal's description knows 24-bit colours.
    ///   - names: whether it does not, and the terminal shows them.
    init(isDirect: Bool, names: Bool) {
        self.isDirect = isDirect
        named = names ? DirectColors() : nil
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

    /// What ncurses has drawn, with the colours that its description does not know.
    func naming(_ bytes: [UInt8]) -> [UInt8] {
        named?.naming(bytes) ?? bytes
    }

    private mutating func code(_ color: Color, default standard: Int32) -> Int32 {
        if named != nil, case .indexed(let index) = color, index < 16 { return Int32(index) }
        if let components = color.components, let entry = named?.entry(for: components) { return Int32(entry) }
        if case .indexed(let index) = color, !isDirect || index < 8 { return Int32(index) }
        guard isDirect, let components = color.components else { return hasDefaults ? -1 : standard }
        let bits = components.red << 16 | components.green << 8 | components.blue
        return Int32(bits < 8 ? 0 : bits)
    }
}
