import Glibc
import TestSupport

/// The program on a real pseudo terminal, its screen and what is read from it.
final class WatchedConsole {
    static let size = (rows: 40, columns: 110)

    let directory: TemporaryDirectory
    let console: ConsoleProcess
    let screen: WatchedTerminal

    init(_ words: [String] = [], in directory: TemporaryDirectory) throws {
        self.directory = directory
        console = try ConsoleProcess(words, in: directory, rows: Self.size.rows, columns: Self.size.columns)
        screen = WatchedTerminal(console.terminal, rows: Self.size.rows, columns: Self.size.columns)
    }

    deinit {
        console.send(SIGTERM)
        _ = console.wait()
    }

    var text: String {
        screen.picture.lines.joined(separator: "\n")
    }

    func type(_ keys: String) {
        console.terminal.type(keys)
    }

    /// Whether a line comes that contains `words`.
    func says(_ words: String) -> Bool {
        screen.watch { $0.lines.contains { $0.contains(words) } }
    }
}
