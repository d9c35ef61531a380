package import KeyFiles

/// Styles by dotted scope. A scope without a style of its own takes that of the shorter one before its last dot, so
/// `meter.clip` falls back to `meter`, and what has none at all is plain.
package struct Theme: Sendable {
    /// What the theme is made for.
    package enum Background: String, CaseIterable, Sendable {
        case dark
        case light
        case any
    }

    package let name: String
    /// Who made it, and from whose palette.
    package let author: String?
    package let background: Background
    /// The styles as written, by scope.
    package let styles: [String: Style]

    package init(name: String, author: String?, background: Background, styles: [String: Style]) {
        (self.name, self.author, self.background, self.styles) = (name, author, background, styles)
    }

    /// The style of `scope`. Colours that it leaves open are those of the scope `text`.
    package func style(_ scope: String) -> Style {
        let ground = styles["text"] ?? .plain
        return written(scope).over(Style(foreground: ground.foreground, background: ground.background))
    }

    private func written(_ scope: String) -> Style {
        var rest = Substring(scope)
        while true {
            if let style = styles[String(rest)] { return style }
            guard let dot = rest.lastIndex(of: ".") else { return .plain }
            rest = rest[..<dot]
        }
    }
}

/// Themes are found by name: the user's directory first, then the ones in the binary.
extension Theme {
    /// A theme and what was passed over while reading it; a bad entry never fails the rest.
    package struct Loaded: Sendable {
        package let theme: Theme
        package let warnings: [KeyFileWarning]
    }

    /// Loads the theme called `name`. An unknown one is the default theme with a warning.
    ///
    /// - Parameters:
    ///   - directory: where the user's `NAME.theme` files are.
    ///   - knownScopes: warns of scopes that nothing reads; a mistyped one has no effect otherwise.
    package static func load(name: String, directory: String?, knownScopes: Set<String>? = nil) -> Loaded {
        ThemeLoader(directory: directory, knownScopes: knownScopes).load(name)
    }

    /// The theme in the binary that is used when nothing else is said.
    package static var standard: Theme {
        load(name: "dark", directory: nil).theme
    }

    /// The theme for terminals without colours.
    package static let colorless = "mono"

    /// The names of the themes in the binary, then of the user's, sorted, that are not among them.
    package static func names(directory: String?) -> [String] {
        let embedded = EmbeddedThemes.names
        return embedded + ThemeLoader.names(in: directory).filter { !embedded.contains($0) }
    }
}
