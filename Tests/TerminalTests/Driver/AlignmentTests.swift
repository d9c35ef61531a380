import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

@testable import Terminal

/// What is drawn is as wide in tmux as it is taken for: else all that stands to its right would be shifted.
@Suite(.serialized) struct AlignmentTests {
    /// A pane that shows what is written to it.
    private final class Pane {
        private let directory: TemporaryDirectory
        let tmux: TmuxSession
        private let input: Int32

        init(rows: Int, columns: Int) throws {
            directory = try TemporaryDirectory("hoot-alignment")
            let pipe = directory.path + "/pipe"
            guard mkfifo(pipe, 0o600) == 0 else { throw ChildProcess.Failure(description: "no pipe") }
            let environment = [
                "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": directory.path,
            ]
            tmux = try TmuxSession(
                "stty raw -echo; exec cat <>'\(pipe)'", in: directory, environment: environment, rows: rows,
                columns: columns)
            input = open(pipe, O_RDWR | O_CLOEXEC)
        }

        deinit {
            close(input)
        }

        func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        /// Whether the cursor comes to stand there; where it stands else.
        func cursor(_ column: Int, _ row: Int) throws -> String? {
            let place = "\(column),\(row)"
            let format = "#{cursor_x},#{cursor_y}"
            if try tmux.answer(
                to: "display-message", "-p", format, until: { $0.hasPrefix(place + "\n") }) != nil
            {
                return nil
            }
            return try tmux.run("display-message", "-p", format)
        }
    }

    private static let names = [
        "chi", "日本語の名前", "ｆｕｌｌ", "한국어", "cafe\u{301}", "e\u{301}\u{302}\u{303}", "ไม้", "नमस्ते", "العربية", "שלום",
        "👩‍👩‍👧 family", "👍🏽", "🇩🇪", "❤️ heart", "🙂🙂", "hal\u{202E}evil\u{1B}[31m", "a\u{9B}31mb", "ali\u{200B}ce", "x\r\ny",
        "█▎▏ – …",
    ]

    @Test func namesOfEveryKindAreAsWideInTmuxAsTheyAreTakenFor() throws {
        let size = Size(rows: Self.names.count + 1, columns: 60)
        let pane = try Pane(rows: size.rows, columns: size.columns)
        let terminal = try PseudoTerminal(rows: UInt16(size.rows), columns: UInt16(size.columns))
        let device = try TerminalDevice(path: terminal.path)
        let environment = TerminalEnvironment(term: "tmux-256color", isUTF8: true, noColor: false)
        var screen = try CursesScreen(environment: environment, size: size)
        defer { screen.leave(device, within: .zero) }
        var surface = Surface(size: size)
        for (row, name) in Self.names.enumerated() {
            let end = surface.put(name, row: row, column: 5)
            #expect(end == 5 + DisplayWidth.of(name))
            surface.put("|", row: row, column: end)
            // With nowhere to put it, the cursor stays behind what was drawn last.
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            terminal.drain()
            pane.write(terminal.output)
            terminal.forget()
            let wrong = try pane.cursor(end + 1, row)
            #expect(wrong == nil, "after \(name): \(wrong ?? "")")
        }
        let shown = try pane.tmux.pane { $0.count >= size.rows - 1 } ?? []
        #expect(Array(shown.prefix(Self.names.count)) == Array(surface.lines.prefix(Self.names.count)))
    }
}
