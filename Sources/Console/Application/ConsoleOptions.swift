package import ControlProtocol
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
    /// The X display of this console's environment, for what the core starts.
    package var display: String?
    /// Whether the screen keeps to ASCII, whatever the terminal shows.
    package var isASCII = false
    /// What was found on this machine, to be told while nothing is set up yet; empty: something is.
    package var findings: [Finding] = []
    /// How much the line mode tells.
    package var detail = LineDetail.normal
    /// When the console ends by itself.
    package var end: MonoTime?

    package init(directories: Directories, version: String) {
        self.directories = directories
        self.version = version
    }

    /// What the user's files say about keys and pictures.
    struct Loaded {
        var keys = KeyMap.standard
        var warnings: [String] = []
        /// The characters that pictures are made of; `nil`: the terminal decides.
        var pictureGlyphs: PictureMode.Glyphs?
        /// Bytes a second that pictures may take inside a terminal multiplexer.
        var multiplexerRate: Int
    }

    /// Reads the user's files; what cannot be understood is passed over with a warning.
    func load() -> Loaded {
        var warnings: [String] = []
        var keys = KeyMap.standard
        do throws(UserFacingError) {
            let loaded = try KeyMap.load(directories)
            keys = loaded.map
            warnings += loaded.warnings.map(\.description)
        } catch {
            warnings.append(error.description)
        }
        let settings = ConsoleSettings(directories)
        return Loaded(
            keys: keys, warnings: warnings, pictureGlyphs: settings.pictureGlyphs,
            multiplexerRate: settings.multiplexerKbps * 125)
    }
}
