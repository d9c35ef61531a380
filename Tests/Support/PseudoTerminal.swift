package import Glibc
import Primitives

/// A real pseudo terminal: the master is ours, the slave is what the driver opens.
package final class PseudoTerminal {
    package let path: String
    package let master: Int32
    /// A descriptor that keeps the slave's settings while the driver comes and goes.
    private let keeper: Int32
    private var isOpen = true
    /// Everything read so far.
    package private(set) var output: [UInt8] = []

    package init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
        // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname do, which Swift does not see.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var lock: Int32 = 0
        var number: Int32 = 0
        guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw ChildProcess.Failure(description: "no pseudo terminal: \(String(cString: strerror(errno)))")
        }
        path = "/dev/pts/\(number)"
        keeper = open(path, O_RDWR | O_NOCTTY)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        resize(rows: rows, columns: columns)
    }

    deinit {
        hangUp()
    }

    /// Closes the terminal's window, as a lost connection does.
    package func hangUp() {
        guard isOpen else { return }
        isOpen = false
        close(keeper)
        close(master)
    }

    package func resize(rows: UInt16, columns: UInt16) {
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    /// The slave's settings, read through the master: the slave's own descriptors are dead once its session has ended.
    package var settings: termios {
        get {
            var settings = termios()
            tcgetattr(master, &settings)
            return settings
        }
        set {
            var settings = newValue
            tcsetattr(master, TCSANOW, &settings)
        }
    }

    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        write(master, bytes, bytes.count)
    }

    /// Reads what is there and returns its size.
    @discardableResult
    package func drain() -> Int {
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(master, &buffer, buffer.count)
            guard count > 0 else { return total }
            output += buffer[..<count]
            total += count
        }
    }

    /// Reads at most `count` bytes of what is there; they are not added to `output`.
    package func read(atMost count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let length = Glibc.read(master, &buffer, count)
        return Array(buffer.prefix(max(0, length)))
    }

    package func forget() {
        output = []
    }

    /// Reads until the picture of everything so far fits, or `limit` is over. Returns the last picture.
    package func picture(
        rows: Int = 24, columns: Int = 80, within limit: Duration = .zero,
        until fits: (TerminalPicture) -> Bool = { _ in true }
    ) -> TerminalPicture {
        let deadline = MonoTime.now() + limit
        while true {
            drain()
            var picture = TerminalPicture(rows: rows, columns: columns)
            picture.show(output)
            let left = deadline - MonoTime.now()
            guard !fits(picture), left > .zero else { return picture }
            var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            poll(&poller, 1, Int32(min(left.milliseconds.rounded(.up), 1000)))
        }
    }
}
