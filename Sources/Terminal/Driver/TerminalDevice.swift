import Glibc
package import Primitives

/// The terminal's device, opened anew so that its non-blocking flag is ours alone: on the inherited descriptors the flag
/// would be shared with the shell.
package struct TerminalDevice: ~Copyable {
    /// For `poll` and reading: keys.
    package let descriptor: Int32
    private let original: termios

    /// Opens the controlling terminal, or the one at `path`, and puts it into raw mode. The crash guard restores it from
    /// now on, whatever happens.
    package init(path: String? = nil) throws(UserFacingError) {
        let candidates = path.map { [$0] } ?? ["/dev/tty", "/proc/self/fd/0", "/proc/self/fd/1"]
        var opened: Int32 = -1
        for candidate in candidates where opened < 0 {
            opened = open(candidate, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if opened >= 0, isatty(opened) == 0 {
                close(opened)
                opened = -1
            }
        }
        guard opened >= 0 else {
            throw UserFacingError(
                "cannot open the console", why: "this is not a terminal",
                remedy: "run hoot in one, or use hoot status and hoot ctl")
        }
        var settings = termios()
        guard tcgetattr(opened, &settings) == 0 else {
            let why = String(cString: strerror(errno))
            close(opened)
            throw UserFacingError("cannot read the terminal's settings", why: why)
        }
        descriptor = opened
        original = settings
        CrashGuard.arm(descriptor: opened, settings: settings)
        enterRaw()
    }

    deinit {
        restore()
        CrashGuard.disarm()
        close(descriptor)
    }

    /// Bytes typed since; empty when there are none, `nil` when the terminal is gone.
    package func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    /// The window's size; 80×24 when the terminal does not know.
    package var size: Size {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
            return Size(rows: 24, columns: 80)
        }
        return Size(rows: Int(window.ws_row), columns: Int(window.ws_col))
    }

    /// Width and height of a character, where the terminal knows them in pixels; else 1 and 2.
    package var cellShape: (width: Int, height: Int) {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0,
            window.ws_xpixel >= window.ws_col, window.ws_ypixel >= window.ws_row
        else { return (1, 2) }
        return (Int(window.ws_xpixel / window.ws_col), Int(window.ws_ypixel / window.ws_row))
    }

    /// Raw mode: every key is a byte for us, Ctrl-C and Ctrl-Z included, and output is not translated.
    package func enterRaw() {
        var raw = original
        cfmakeraw(&raw)
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    /// Makes the crash guard restore this terminal again.
    func rearm() {
        CrashGuard.arm(descriptor: descriptor, settings: original)
    }

    /// The settings as they were found.
    package func restore() {
        var settings = original
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    /// Writes what the terminal takes now. Returns the count, or `nil` when the terminal is gone.
    func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Waits until the terminal takes output; `false` after `limit`.
    func waitUntilWritable(within limit: Duration) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&poller, 1, Int32(limit.milliseconds)) == 1 && Int32(poller.revents) & POLLOUT != 0
    }
}
