import Glibc

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
        theme.styles.compactMap { scope, style in
            let ratio = ratio(of: style.reduced(to: depth), on: theme.background)
            return ratio < least ? Problem(scope: scope, style: style, ratio: ratio) : nil
        }.sorted { $0.scope < $1.scope }
    }

    static func ratio(of style: Style, on background: Theme.Background) -> Double {
        let light = background == .light
        let ink = style.foreground.components ?? RGB(paletteIndex: light ? 16 : 7)
        let paper = style.background.components ?? RGB(paletteIndex: light ? 231 : 16)
        let (one, other) = (luminance(ink), luminance(paper))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private static func luminance(_ color: RGB) -> Double {
        0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }

    private static func linear(_ component: Int) -> Double {
        let value = Double(component) / 255
        return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}
