import Glibc

/// Standard output and standard error of the commands.
enum Output {
    /// Writes `text` and a newline to standard output.
    static func line(_ text: String) {
        write(text + "\n", to: 1)
    }

    /// Writes `hoot: what: why; what to do` to standard error.
    static func error(_ text: String) {
        write("hoot: \(text)\n", to: 2)
    }

    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            bytes = bytes.dropFirst(max(count, 0))
        }
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool {
        isatty(1) == 1
    }
}
