/// Whether a theme can be read (WCAG 2.1, success criterion 1.4.3).
package enum Contrast {
    /// A style whose text is hard to read.
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        package let scope: String
        package let style: Style
        /// The contrast ratio, 1…21.
        package let ratio: Double

        package var description: String {
            let tenths = Int((ratio * 10).rounded())
            return "\(scope) (\(style)) has a contrast of \(tenths / 10).\(tenths % 10)"
        }
    }

    /// The least contrast of text.
    package static let least = 4.5

    /// The styles of `theme` below `least` on a terminal of `depth`, whose own colours are light grey on black, or black
    /// on white where the theme is for light backgrounds.
    package static func problems(of theme: Theme, depth: ColorDepth, least: Double = least) -> [Problem] {
        theme.styles.keys.compactMap { scope in
            let style = theme.style(scope)
            let ratio = ratio(of: style.reduced(to: depth), on: theme.background)
            return ratio < least ? Problem(scope: scope, style: style, ratio: ratio) : nil
        }.sorted { $0.scope < $1.scope }
    }

    /// The colour of a style's text, where the terminal's own is light grey, or black where the theme is for light
    /// backgrounds.
    static func ink(of style: Style, on background: Theme.Background) -> RGB {
        style.foreground.components ?? RGB(paletteIndex: background == .light ? 16 : 7)
    }

    static func ratio(of style: Style, on background: Theme.Background) -> Double {
        let paper = style.background.components ?? RGB(paletteIndex: background == .light ? 231 : 16)
        let (one, other) = (luminance(ink(of: style, on: background)), luminance(paper))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private static func luminance(_ color: RGB) -> Double {
        let (red, green, blue) = color.linear
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}
