import CNcurses
import Glibc

/// What the environment says about the terminal.
package struct TerminalEnvironment: Hashable, Sendable {
    /// `TERM`, as given.
    package var term: String
    /// Whether text outside ASCII can be shown.
    package var isUTF8: Bool
    /// Whether colours are unwanted (https://no-color.org).
    package var noColor: Bool
    /// Whether the terminal says that it takes 24-bit colours.
    package var hasDirectColor: Bool

    package init(term: String, isUTF8: Bool, noColor: Bool, hasDirectColor: Bool = false) {
        self.term = term
        self.isUTF8 = isUTF8
        self.noColor = noColor
        self.hasDirectColor = hasDirectColor
    }

    /// Reads `variables`. The first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set decides the encoding; with none set the
    /// terminal gets ASCII.
    package init(variables: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let codeset = locale.lowercased().filter { $0 != "-" }
        self.init(
            term: variables["TERM"] ?? "", isUTF8: codeset.contains("utf8"),
            noColor: !(variables["NO_COLOR"] ?? "").isEmpty,
            // What is around screen(1) says so, and screen takes it for other attributes.
            hasDirectColor: ["truecolor", "24bit"].contains(variables["COLORTERM"] ?? "")
                && (variables["STY"] ?? "").isEmpty)
    }

    /// Reads this process's environment.
    package static func current() -> TerminalEnvironment {
        var variables: [String: String] = [:]
        for name in ["LC_ALL", "LC_CTYPE", "LANG", "TERM", "NO_COLOR", "COLORTERM", "STY"] {
            variables[name] = getenv(name).map { String(cString: $0) }
        }
        return TerminalEnvironment(variables: variables)
    }

    /// Whether a multiplexer stands between, which takes what it is given at once and answers for the terminal behind it.
    package var isMultiplexed: Bool { term.hasPrefix("screen") || term.hasPrefix("tmux") }

    /// The finest blocks that the terminal is known to have. Which its font has cannot be asked; these draw their own.
    var bestGlyphs: PictureMode.Glyphs {
        let drawers = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"]
        if drawers.contains(where: term.hasPrefix) { return .sextant }
        return term.hasPrefix("linux") || term.hasPrefix("vt") ? .half : .quadrant
    }

    /// Whether the system has a description of the terminal.
    package var isKnown: Bool { cncurses_knows(term) }

    /// Terminal types to try, best first: the one that is said, then the nearest that every system knows.
    var types: [String] {
        let known =
            term.isEmpty || term == "unknown"
            ? ["vt100"]
            : isMultiplexed
                ? ["screen-256color", "screen"]
                : term.hasPrefix("linux") ? ["linux"] : term.hasPrefix("vt") ? ["vt100"] : ["xterm-256color", "xterm"]
        return (term.isEmpty ? [] : [term]) + known + ["vt100", "ansi"]
    }

    /// Gives the C library a UTF-8 locale where the terminal takes UTF-8: widths and encoding come from it. The locale
    /// that the environment names is often not installed on a machine reached over SSH. Returns whether it has one.
    func adoptLocale() -> Bool {
        guard isUTF8 else {
            setlocale(LC_CTYPE, "C")
            return false
        }
        for name in ["", "C.UTF-8", "C.utf8", "en_US.UTF-8"] where setlocale(LC_CTYPE, name) != nil {
            if String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8" { return true }
        }
        setlocale(LC_CTYPE, "C")
        return false
    }
}
