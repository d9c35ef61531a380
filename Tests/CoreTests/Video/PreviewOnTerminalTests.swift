import Foundation
import Glibc
import TestSupport
import Testing

/// The program on a real pseudo terminal, with a real core: one's own picture before a call, in it and after it.
@Suite(.serialized) struct PreviewOnTerminalTests {
    /// A console, its screen and what is read from it.
    private final class Seat {
        let console: ConsoleProcess
        let screen: WatchedTerminal
        private static let size = (rows: 40, columns: 110)

        init(in directory: TemporaryDirectory) throws {
            let (rows, columns) = Self.size
            // No camera of the machine's own is opened.
            let settings = directory.path + "/config/hoot.conf"
            mkdir(directory.path + "/config", 0o700)
            try "[video]\nsource=none\n".write(toFile: settings, atomically: false, encoding: .utf8)
            console = try ConsoleProcess([], in: directory, rows: rows, columns: columns)
            screen = WatchedTerminal(console.terminal, rows: rows, columns: columns)
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

        func says(_ words: String) -> Bool {
            screen.watch { $0.lines.contains { $0.contains(words) } }
        }

        /// Whether the line of the microphone comes to say that a picture is open, or does so no more.
        func says(isOpen: Bool) -> Bool {
            screen.watch { $0.lines[1].contains("PICTURE OPEN") == isOpen }
        }

        /// Whether the test pattern moves below the title that begins so.
        func moves(below title: String) -> Bool {
            screen.moves(4, of: [0], columns: 0..<Self.size.columns) { picture in
                // Messages and keys stand below the preview.
                picture.panel(title).map { $0.rows.clamped(to: 0..<Self.size.rows - 3) }
            }
        }
    }

    @Test func itIsSeenBeforeACallInItAndAfterItUntilItIsEnded() throws {
        let directory = try TemporaryDirectory("hoot-preview")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let seat = try Seat(in: directory)
        #expect(seat.says("NO MIC"))
        seat.type("Cpattern\r")
        #expect(seat.says("pattern is chosen; A-v shows it here"), "\(seat.text)")
        // The core's answer and its state may come one after the other.
        #expect(seat.says("w wait   A-v preview") && seat.says(isOpen: false), "\(seat.text)")
        seat.type("\u{1B}v")
        #expect(seat.says("Preview of test pattern 640×480 30 fps, seen by nobody else"), "\(seat.text)")
        #expect(seat.says(isOpen: true) && seat.moves(below: "Preview of"), "\(seat.text)")

        let room = ["host", "den", "--listen", "127.0.0.1:0", "--detach"]
        #expect(try ConsoleProcess.run(room, in: directory) == 0)
        #expect(seat.says("Stage: you 640×480 30 fps, only here"), "\(seat.text)")
        #expect(seat.says("video off, PICTURE OPEN") && seat.moves(below: "Stage: you"), "\(seat.text)")
        #expect(try ConsoleProcess.run(["leave"], in: directory) == 0)
        #expect(seat.says("Preview of test pattern"), "\(seat.text)")
        #expect(seat.says(isOpen: true) && seat.moves(below: "Preview of"), "\(seat.text)")

        seat.type("\u{1B}v")
        #expect(seat.screen.watch { $0.panel("Preview of") == nil } && seat.says(isOpen: false), "\(seat.text)")
    }

    /// It is the console's that asked for it; whoever else is attached sees that something is open.
    @Test func itEndsWithItsConsole() throws {
        let directory = try TemporaryDirectory("hoot-preview")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let seat = try Seat(in: directory)
        #expect(seat.says("NO MIC"))
        let other = try Seat(in: directory)
        #expect(other.says("NO MIC"))
        seat.type("Cpattern\r")
        #expect(seat.says("A-v preview"), "\(seat.text)")
        seat.type(":preview\r")
        #expect(seat.moves(below: "Preview of"), "\(seat.text)")
        #expect(other.says(isOpen: true) && other.screen.picture.panel("Preview of") == nil, "\(other.text)")
        seat.console.send(SIGKILL)
        #expect(other.says(isOpen: false), "\(other.text)")
    }
}
