import KeyFiles
package import Primitives
import Terminal

/// How a console is started.
package struct ConsoleOptions: Sendable {
    /// Where the core's socket and the user's files are.
    package var directories: Directories
    /// This program's version, for `core.hello`.
    package var version: String
    /// The sound server of this console's environment, offered to the core.
    package var pulseServer: String?
    /// When the console ends by itself.
    package var end: MonoTime?

    package init(directories: Directories, version: String) {
        self.directories = directories
        self.version = version
    }

    /// What the user's files say about keys, looks and pictures.
    struct Loaded {
        var keys = KeyMap.standard
        var look: Look
        var warnings: [String] = []
        /// The characters that pictures are made of; `nil`: the terminal decides.
        var pictureGlyphs: PictureMode.Glyphs?
        /// Bytes a second that pictures may take inside a terminal multiplexer.
        var multiplexerRate: Int

        func pictureMode(_ environment: TerminalEnvironment, depth: ColorDepth) -> PictureMode {
            PictureMode(environment, depth: depth, isUTF8: look.glyphs != .ascii, wish: pictureGlyphs)
        }
    }

    /// The console's own settings.
    private struct ConsoleSettings {
        var theme = "dark"
        var isASCII = false
        var pictureGlyphs: PictureMode.Glyphs?
        var multiplexerKbps = 256
    }

    /// Reads the user's files; what cannot be understood is passed over with a warning.
    func load(isUTF8: Bool, depth: ColorDepth) -> Loaded {
        var warnings: [String] = []
        var keys = KeyMap.standard
        do throws(UserFacingError) {
            let loaded = KeyMap.load(try KeyFile.load(path: directories.keysPath))
            keys = loaded.map
            warnings += loaded.warnings.map(\.description)
        } catch {
            warnings.append(error.description)
        }
        let settings = (try? Self.settings(directories)) ?? ConsoleSettings()
        let loaded = Theme.load(name: settings.theme, directory: directories.themesPath, knownScopes: Scope.names)
        warnings += loaded.warnings.map(\.description)
        let look = Look(theme: loaded.theme, glyphs: isUTF8 && !settings.isASCII ? .utf8 : .ascii, depth: depth)
        return Loaded(
            keys: keys, look: look, warnings: warnings, pictureGlyphs: settings.pictureGlyphs,
            multiplexerRate: settings.multiplexerKbps * 125)
    }

    /// What is wrong about the file is the core's to say.
    private static func settings(_ directories: Directories) throws -> ConsoleSettings {
        let file = try KeyFile.load(path: directories.settingsPath)
        var settings = ConsoleSettings()
        settings.theme = try file.string("theme", in: "console") ?? settings.theme
        settings.isASCII = try file.boolean("ascii", in: "console") ?? settings.isASCII
        settings.pictureGlyphs = PictureMode.Glyphs(rawValue: try file.string("pictures", in: "console") ?? "")
        settings.multiplexerKbps =
            try file.integer("multiplexer-kbps", in: "console", range: 16...100_000) ?? settings.multiplexerKbps
        return settings
    }
}
