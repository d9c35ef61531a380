import KeyFiles
import Primitives
import Terminal

/// The console's own settings, `[console]` in `hoot.conf`.
struct ConsoleSettings {
    var theme = "dark"
    var isASCII = false
    var hasMouse = true
    var hasMeters = true
    var hasBell = true
    var pictureGlyphs: PictureMode.Glyphs?
    var multiplexerKbps = 256

    /// Reads the file; a value that does not fit is as if it were not there, which is the core's to say.
    init(_ directories: Directories) {
        guard let file = try? KeyFile.load(path: directories.settingsPath) else { return }
        let group = "console"
        theme = (try? file.string("theme", in: group)).flatMap { $0 } ?? theme
        isASCII = (try? file.boolean("ascii", in: group)).flatMap { $0 } ?? isASCII
        hasMouse = (try? file.boolean("mouse", in: group)).flatMap { $0 } ?? hasMouse
        hasMeters = (try? file.boolean("meters", in: group)).flatMap { $0 } ?? hasMeters
        hasBell = (try? file.boolean("bell", in: group)).flatMap { $0 } ?? hasBell
        pictureGlyphs = (try? file.string("pictures", in: group)).flatMap { $0 }.flatMap(PictureMode.Glyphs.init)
        multiplexerKbps =
            (try? file.integer("multiplexer-kbps", in: group, range: 16...100_000)).flatMap { $0 } ?? multiplexerKbps
    }
}
