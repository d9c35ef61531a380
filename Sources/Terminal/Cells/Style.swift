/// How a cell looks.
package struct Style: Hashable, Sendable {
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let underline = Attributes(rawValue: 4)
        package static let reverse = Attributes(rawValue: 8)
        /// Left to pictures: a blank that equals nothing else that is ever drawn, so that whatever takes its place is.
        static let pictured = Attributes(rawValue: 16)

        /// The attributes' names in themes.
        package static let named: [(name: String, attribute: Attributes)] = [
            ("bold", .bold), ("dim", .dim), ("underline", .underline), ("reverse", .reverse),
        ]
    }

    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    package init(foreground: Color = .standard, background: Color = .standard, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own look.
    package static let plain = Style()

    /// This style over `base`: what it leaves to the terminal is taken from `base`.
    package func over(_ base: Style) -> Style {
        Style(
            foreground: foreground == .standard ? base.foreground : foreground,
            background: background == .standard ? base.background : background,
            attributes: attributes.union(base.attributes))
    }

    /// The style as a terminal of `depth` shows it. Where colours fall away, a background of its own becomes reverse
    /// video, so that what stood out still does.
    package func reduced(to depth: ColorDepth) -> Style {
        var style = Style(
            foreground: foreground.reduced(to: depth), background: background.reduced(to: depth),
            attributes: attributes)
        if depth == .mono, background != .standard {
            style.attributes.formSymmetricDifference(.reverse)
        }
        if depth == .eight, case .indexed(8...15) = foreground.reduced(to: .sixteen) {
            style.attributes.insert(.bold)
        }
        if style.foreground == style.background, style.foreground != .standard {
            style.foreground = style.background == .indexed(0) ? .indexed(7) : .indexed(0)
        }
        return style
    }
}
