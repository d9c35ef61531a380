import KeyFiles
import Primitives
import Terminal

/// Makes the look of a theme for one terminal, as often as it is wanted.
struct LookSource {
    let directories: Directories
    /// Whether the terminal shows more than ASCII.
    let isUTF8: Bool
    let depth: ColorDepth
    /// The theme that is shown instead of the one in `hoot.conf`.
    var preview: String?

    /// A look, what was passed over in the theme's file, and the settings that the look comes from.
    struct Loaded {
        var look: Look
        var warnings: [String]
        var settings: ConsoleSettings
    }

    /// Reads `hoot.conf` and the theme. A theme of colours is no use where there are none.
    func load() -> Loaded {
        let settings = ConsoleSettings(directories)
        var loaded = load(preview ?? settings.theme)
        if depth == .mono, loaded.theme.background != .any { loaded = load(Theme.colorless) }
        let glyphs = isUTF8 && !settings.isASCII ? Glyphs.utf8 : .ascii
        return Loaded(
            look: Look(theme: loaded.theme, glyphs: glyphs, depth: depth),
            warnings: loaded.warnings.map(\.description), settings: settings)
    }

    /// The themes that there are.
    var names: [String] {
        Theme.names(directory: directories.themesPath)
    }

    private func load(_ name: String) -> Theme.Loaded {
        Theme.load(name: name, directory: directories.themesPath, knownScopes: Scope.names)
    }
}
