import Foundation
import Glibc
import MediaEngine
import Primitives
import TestSupport
import Testing

@testable import Devices

/// A real program in a real pseudo terminal, as pictures.
@Suite struct TerminalShareTests {
    private let sink = CollectingSink()

    /// What stands at a place of a picture: read back from its pixels by the font.
    private func text(_ frame: VideoFrame, row: Int, columns: Range<Int>) -> String {
        let printable = Array(UInt32(0x20)...0x7e)
        let scalars = columns.map { column -> Unicode.Scalar in
            let rows = (0..<BitmapFont.height).map { line -> UInt8 in
                let start = (row * BitmapFont.height + line) * frame.size.width + column * BitmapFont.width
                return (0..<BitmapFont.width).reduce(0) { $0 << 1 | (frame.bytes[start + $1] > 100 ? 1 : 0) }
            }
            let found = printable.first { Array(BitmapFont.standard.glyph($0)) == rows }
            return found.flatMap(Unicode.Scalar.init) ?? "?"
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private func shows(_ expected: String, row: Int = 0) -> (CollectingSink.Taken) -> Bool {
        { taken in
            guard let frame = taken.frames.last else { return false }
            return text(frame, row: row, columns: 0..<expected.count) == expected
        }
    }

    @Test func whatAProgramWritesIsSeen() throws {
        let share = TerminalShare(["/bin/sh", "-c", "printf 'hello from %s' $TERM; read x"])
        defer { share.stop() }
        let format = try share.start(sink, wanted: .standard)
        #expect(format == CaptureFormat(size: VideoSize(width: 640, height: 312), frameRate: 30))
        #expect(sink.wait(until: shows("hello from xterm-256color")))
        #expect(share.content == .text)
    }

    @Test func theProgramSeesTheVariablesThatItIsGiven() throws {
        let share = TerminalShare(
            ["/bin/sh", "-c", "printf 'on %s' $DISPLAY; read x"], variables: ["DISPLAY": "elsewhere:7"])
        defer { share.stop() }
        _ = try share.start(sink, wanted: .standard)
        #expect(sink.wait(until: shows("on elsewhere:7")))
    }

    @Test func theEndIsToldWithItsStatus() throws {
        let share = TerminalShare(["/bin/sh", "-c", "printf bye; exit 3"])
        defer { share.stop() }
        _ = try share.start(sink, wanted: .standard)
        #expect(sink.wait { !$0.ends.isEmpty })
        #expect(sink.all.ends == ["the shared command has ended with status 3"])
        #expect(shows("bye")(sink.all))
    }

    @Test func aCommandThatIsNotThereIsRefused() {
        let error = #expect(throws: UserFacingError.self) {
            try TerminalShare(["no-such-program-at-all"]).start(sink, wanted: .standard)
        }
        #expect(error?.description == "cannot share no-such-program-at-all: No such file or directory")
    }

    @Test func theProgramEndsWithItsSource() throws {
        let share = TerminalShare(["/bin/sh", "-c", "trap '' HUP; printf '%05d ' $$; while :; do read x; done"])
        _ = try share.start(sink, wanted: .standard)
        #expect(
            sink.wait { taken in
                taken.frames.last.map { Int(text($0, row: 0, columns: 0..<5)) ?? 0 > 0 } ?? false
            })
        let process = try #require(sink.all.frames.last.flatMap { pid_t(text($0, row: 0, columns: 0..<5)) })
        #expect(kill(process, 0) == 0)
        share.stop()
        #expect(kill(process, 0) == -1 && errno == ESRCH)
        #expect(sink.all.ends.isEmpty)
    }

    @Test func nothingOfTheProgramSurvives() throws {
        // A job of its own that heeds no hang-up, as a shell's `nohup` leaves it.
        let command = "trap '' HUP; set -m; sleep 600 & printf '%07d ' $!; exec sleep 600"
        let share = TerminalShare(["/bin/sh", "-c", command])
        _ = try share.start(sink, wanted: .standard)
        let job = { (taken: CollectingSink.Taken) in
            taken.frames.last.flatMap { pid_t(text($0, row: 0, columns: 0..<7)) }
        }
        #expect(sink.wait { job($0) != nil })
        let process = try #require(job(sink.all))
        #expect(kill(process, 0) == 0)
        share.stop()
        let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        #expect(stat.isEmpty || stat.contains(") Z "), "\(stat)")
    }

    @Test func aProgramBeginsAtHome() throws {
        let share = TerminalShare(["/bin/sh", "-c", "[ \"$PWD\" = \"$(cd && pwd)\" ] && printf 'at home'; read x"])
        defer { share.stop() }
        _ = try share.start(sink, wanted: .standard)
        #expect(sink.wait(until: shows("at home")))
    }

    @Test func keysReachTheProgram() throws {
        let share = TerminalShare(["/bin/sh", "-c", "stty -echo; printf 'ready'; read x; printf \"\\rgot $x\"; read x"])
        defer { share.stop() }
        _ = try share.start(sink, wanted: .standard)
        #expect(sink.wait(until: shows("ready")))
        share.type(Array("keys\n".utf8))
        #expect(sink.wait(until: shows("got keys")))
    }

    @Test func theProgramLearnsOfAnotherSize() throws {
        let command = "trap 'stty size' WINCH; printf 'ready\\n'; while :; do sleep 60 & wait; done"
        let share = TerminalShare(["/bin/sh", "-c", command])
        defer { share.stop() }
        _ = try share.start(sink, wanted: .standard)
        #expect(sink.wait(until: shows("ready")))
        share.resize(TerminalSize(columns: 100, rows: 30))
        #expect(sink.wait(until: shows("30 100", row: 1)))
        #expect(sink.all.frames.last?.size == VideoSize(width: 800, height: 390))
    }

    /// Nothing is given while nothing changes, and a flood is held to the cap (Q49).
    @Test func picturesComeWhenSomethingChangesOnly() throws {
        let command =
            "printf start; read x; i=0; while [ $i -lt 3000 ]; do echo $i; i=$((i+1)); done; printf end; read x"
        let share = TerminalShare(["/bin/sh", "-c", command])
        defer { share.stop() }
        _ = try share.start(sink, wanted: .standard)
        #expect(sink.wait(until: shows("start")))
        let still = sink.all.frames.count
        #expect(!sink.wait(within: .milliseconds(300)) { $0.frames.count > still })
        share.type([UInt8(ascii: "\n")])
        #expect(
            sink.wait { taken in
                taken.frames.last.map { text($0, row: 23, columns: 0..<3) == "end" } ?? false
            })
        let frames = sink.all.frames.dropFirst(still)
        for (one, next) in zip(frames, frames.dropFirst()) { #expect(next.time - one.time >= .milliseconds(33)) }
    }
}
