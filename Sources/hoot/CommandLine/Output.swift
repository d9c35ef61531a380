import Glibc
import Primitives

/// Standard output and standard error of the commands.
enum Output {
    /// Writes `text` and a newline to standard output.
    static func line(_ text: String) {
        write(text.displayable + "\n", to: 1)
    }

    /// Writes `hoot: what: why; what to do` to standard error.
    static func error(_ text: String) {
        write("hoot: \(text.displayable)\n", to: 2)
    }

    /// Writes all of `text`. A reader of standard output that has gone ends the program, without a word, and so does a
    /// disk that is full, with one: nobody gets what it was asked for.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let failure = errno
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if failure == EAGAIN {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
            } else if failure != EINTR {
                giveUp(descriptor, failure)
                return
            }
        }
    }

    private static func giveUp(_ descriptor: Int32, _ failure: Int32) {
        guard descriptor == 1 else { return }
        if failure != EPIPE { error("cannot write to standard output: \(String(cString: strerror(failure)))") }
        exit(1)
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool {
        isatty(1) == 1
    }
}
