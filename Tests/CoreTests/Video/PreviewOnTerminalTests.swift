import Foundation
import Glibc
import TestSupport
import Testing

/// The program on a real pseudo terminal, with a real core: one's own picture before a call, in it and after it.
@Suite(.serialized) struct PreviewOnTerminalTests {
    @Test func itIsSeenBeforeACallInItAndAfterItUntilItIsEnded() throws {
        let directory = try TemporaryDirectory("hoot-preview")
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        let seat = try WatchedConsole.withoutACamera(in: directory)
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
        let seat = try WatchedConsole.withoutACamera(in: directory)
        #expect(seat.says("NO MIC"))
        let other = try WatchedConsole.withoutACamera(in: directory)
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

extension WatchedConsole {
    /// Opens no camera of the machine's own.
    fileprivate static func withoutACamera(in directory: TemporaryDirectory) throws -> WatchedConsole {
        let folder = directory.path + "/config"
        mkdir(folder, 0o700)
        try "[video]\nsource=none\n".write(toFile: folder + "/hoot.conf", atomically: false, encoding: .utf8)
        return try WatchedConsole(in: directory)
    }

    /// Whether the line of the microphone comes to say that a picture is open, or does so no more.
    fileprivate func says(isOpen: Bool) -> Bool {
        screen.watch { $0.lines[1].contains("PICTURE OPEN") == isOpen }
    }

    /// Whether the test pattern moves below the title that begins so.
    fileprivate func moves(below title: String) -> Bool {
        screen.moves(4, of: [0], columns: 0..<Self.size.columns) { picture in
            // Messages and keys stand below the preview.
            picture.panel(title).map { $0.rows.clamped(to: 0..<Self.size.rows - 3) }
        }
    }
}
