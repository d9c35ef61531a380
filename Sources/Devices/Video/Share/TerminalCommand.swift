import CLinux
import Glibc
import MediaEngine
import Primitives

/// A program that runs in a pseudo terminal of its own, from `init` to `close`.
struct TerminalCommand: ~Copyable {
    /// How long a program may take to end after it was told to.
    private static let patience = Duration.milliseconds(500)

    /// The terminal's other end; reads and writes do not block.
    let master: Int32
    private let process: pid_t

    /// Starts `words` (the user's shell when there are none) in `directory` (the user's home when it is `nil`), in our
    /// environment but for `variables`.
    init(
        _ words: [String], directory: String?, variables: [String: String] = [:], size: TerminalSize
    ) throws {
        var path = [CChar](repeating: 0, count: 64)
        let master = clinux_open_pty(&path, path.count)
        guard master >= 0 else { throw Self.failure("a terminal", errno) }
        let words = words.isEmpty ? [Self.shell] : words
        var process: pid_t = 0
        Self.setSize(master, size)
        let status = withCStrings(words) { arguments in
            withCStrings(Self.environment(with: variables)) { environment in
                clinux_spawn_in_terminal(words[0], arguments, environment, path, directory ?? Self.home, &process)
            }
        }
        guard status == 0 else {
            Glibc.close(master)
            throw Self.failure(words[0], status)
        }
        self.master = master
        self.process = process
    }

    /// Reads what the program wrote; `nil`: it has ended.
    func read() -> [UInt8]? {
        var hasEnded = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
            let read = Glibc.read(master, buffer.baseAddress, buffer.count)
            count = max(0, read)
            // EIO: nobody has the terminal open any more.
            hasEnded = read == 0 || (read < 0 && errno != EAGAIN && errno != EINTR)
        }
        return hasEnded ? nil : bytes
    }

    /// Types `bytes`; what a full terminal does not take is lost, as on a keyboard.
    func type(_ bytes: [UInt8]) {
        if !bytes.isEmpty { _ = write(master, bytes, bytes.count) }
    }

    func resize(_ size: TerminalSize) {
        Self.setSize(master, size)
    }

    /// Ends the program, if it has not ended: a hang-up, then, after a while, by force; and with it what it has started.
    /// Returns how it ended.
    consuming func close() -> String {
        Glibc.close(master)
        signalSession(SIGHUP)
        signalSession(SIGCONT)
        let deadline = MonoTime.now() + Self.patience
        var status: Int32 = 0
        var runs = true
        while true {
            runs = runs && waitpid(process, &status, WNOHANG) == 0
            let isLate = MonoTime.now() >= deadline
            guard signalSession(isLate ? SIGKILL : 0) && !isLate || runs else { break }
            poll(nil, 0, 5)
        }
        return Self.describe(status)
    }

    /// Signals everything that runs in the terminal: whatever jobs a shell has made of it, the session is the same.
    /// Returns whether there is anything.
    @discardableResult
    private func signalSession(_ signal: Int32) -> Bool {
        guard let directory = opendir("/proc") else { return false }
        defer { closedir(directory) }
        var isAnything = false
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let id = pid_t(name), getsid(id) == process else { continue }
            kill(id, signal)
            isAnything = true
        }
        return isAnything
    }

    private static func describe(_ status: Int32) -> String {
        let signal = status & 0x7f
        return signal == 0 ? "with status \(status >> 8 & 0xff)" : "by signal \(signal)"
    }

    private static func setSize(_ master: Int32, _ size: TerminalSize) {
        var window = winsize(
            ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: UInt16(size.pixels.width),
            ws_ypixel: UInt16(size.pixels.height))
        _ = ioctl(master, UInt(TIOCSWINSZ), &window)
    }

    private static var home: String {
        guard let home = getenv("HOME"), home.pointee == CChar(UInt8(ascii: "/")), access(home, X_OK) == 0 else {
            return "/"
        }
        return String(cString: home)
    }

    private static var shell: String {
        guard let shell = getenv("SHELL"), shell.pointee != 0 else { return "/bin/sh" }
        return String(cString: shell)
    }

    /// Ours, but for what speaks of the terminal that we have ourselves.
    private static func environment(with variables: [String: String]) -> [String] {
        let own = ["TERM", "COLORTERM", "TMUX", "TMUX_PANE", "STY", "WINDOW", "COLUMNS", "LINES"] + variables.keys
        var kept: [String] = []
        var entry = environ
        while let text = entry.pointee {
            let assignment = String(cString: text)
            let name = assignment.prefix { $0 != "=" }
            if !own.contains(String(name)) { kept.append(assignment) }
            entry += 1
        }
        return kept + variables.map { "\($0)=\($1)" } + ["TERM=xterm-256color", "COLORTERM=truecolor"]
    }

    private static func failure(_ what: String, _ code: Int32) -> UserFacingError {
        UserFacingError("cannot share \(what)", why: String(cString: strerror(code)))
    }
}

/// Lends `strings` as C wants them: a list of pointers that ends with none.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
}
