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

    /// What the user's files say about keys and looks; what cannot be understood is passed over with a warning.
    func load(isUTF8: Bool, depth: ColorDepth) -> (keys: KeyMap, look: Look, warnings: [String]) {
        var warnings: [String] = []
        var keys = KeyMap.standard
        do throws(UserFacingError) {
            let loaded = KeyMap.load(try KeyFile.load(path: directories.keysPath))
            keys = loaded.map
            warnings += loaded.warnings.map(\.description)
        } catch {
            warnings.append(error.description)
        }
        let (theme, ascii) = settings()
        let loaded = Theme.load(name: theme, directory: directories.themesPath, knownScopes: Scope.names)
        warnings += loaded.warnings.map(\.description)
        let look = Look(theme: loaded.theme, glyphs: isUTF8 && !ascii ? .utf8 : .ascii, depth: depth)
        return (keys, look, warnings)
    }

    /// The console's own settings. What is wrong about the file is the core's to say.
    private func settings() -> (theme: String, ascii: Bool) {
        do throws(UserFacingError) {
            let file = try KeyFile.load(path: directories.settingsPath)
            return (
                try file.string("theme", in: "console") ?? "dark", try file.boolean("ascii", in: "console") ?? false
            )
        } catch {
            return ("dark", false)
        }
    }
}
