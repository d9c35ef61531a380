import Glibc
import Primitives

/// The terminal on standard input and output while lines are typed: keys come one by one and are not echoed, output is
/// translated as ever. Nothing is written to it here, at a crash neither.
package struct LineTerminal: ~Copyable {
    /// Whether there is one; else nothing is changed.
    package let isThere: Bool
    private let original: termios

    package init() {
        var settings = termios()
        isThere = isatty(0) == 1 && isatty(1) == 1 && tcgetattr(0, &settings) == 0
        original = settings
        enter()
    }

    deinit {
        leave()
    }

    package var columns: Int {
        var window = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 80 }
        return Int(window.ws_col)
    }

    /// Gives the terminal back as it was found.
    package func leave() {
        guard isThere else { return }
        var settings = original
        tcsetattr(0, TCSADRAIN, &settings)
        CrashGuard.disarm()
    }

    /// Takes it (again).
    package func enter() {
        guard isThere else { return }
        CrashGuard.arm(descriptor: 0, settings: original, saysFarewell: false)
        var settings = original
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_cc.6 = 1
        settings.c_cc.5 = 0
        tcsetattr(0, TCSADRAIN, &settings)
    }
}
