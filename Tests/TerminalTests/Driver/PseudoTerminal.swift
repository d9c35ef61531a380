import Glibc
import Terminal
import Testing

/// A real pseudo terminal: the master is ours, the slave is what the driver opens.
final class PseudoTerminal {
    let path: String
    let master: Int32
    /// A descriptor that keeps the slave's settings while the driver comes and goes.
    private let keeper: Int32
    /// Everything read so far.
    private(set) var output: [UInt8] = []

    init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
        // TIOCSPTLCK and TIOCGPTN: what unlockpt and ptsname do, which Swift does not see.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var lock: Int32 = 0
        var number: Int32 = 0
        try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
        path = "/dev/pts/\(number)"
        keeper = open(path, O_RDWR | O_NOCTTY)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        resize(rows: rows, columns: columns)
    }

    deinit {
        close(keeper)
        close(master)
    }

    func resize(rows: UInt16, columns: UInt16) {
        var window = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    var settings: termios {
        var settings = termios()
        tcgetattr(keeper, &settings)
        return settings
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        write(master, bytes, bytes.count)
    }

    /// Reads what is there and returns its size.
    @discardableResult
    func drain() -> Int {
        var total = 0
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return total }
            output += buffer[..<count]
            total += count
        }
    }

    func forget() {
        output = []
    }
}
