import Foundation
import Glibc
import TestSupport
import Testing

/// The demonstration on a real pseudo terminal: its guests' moving pictures are read back from the cells.
@Suite(.serialized) struct DemoStageTests {
    @Test func theStageShowsMovingPicturesAndItsKeysWork() throws {
        let show = try WatchedConsole.demonstration()
        #expect(show.titles("ada ") || show.titles("bob "))
        show.type("z")
        #expect(show.screen.watch { !$0.lines.contains { $0.contains("Who loses whom") } })
        #expect(show.moves(5, of: [0, 1]), "\(show.text)")

        show.type("3f")
        #expect(show.titles("bob "))
        #expect(show.screen.watch { $0.stage?.isPinned == true })
        #expect(show.moves(5, of: [1]), "\(show.text)")
        show.type("H")
        #expect(show.titles("bob: hidden here"))
        #expect(show.screen.watch { $0.samples(rows: $0.stage?.rows ?? 0..<0, columns: 0..<110) == nil })
        show.type("H")
        #expect(show.titles("bob ") && show.moves(3, of: [1]), "\(show.text)")

        show.type("g")
        #expect(show.titles("all 2"))
        #expect(show.moves(5, of: [0], columns: 0..<55) && show.moves(5, of: [1], columns: 55..<110), "\(show.text)")
        show.type("c")
        #expect(show.says("video off"), "\(show.text)")
        show.type("v")
        #expect(show.titles("all 3") && show.says(" you"), "\(show.text)")
        show.type("v")
        #expect(show.titles("all 2"))
        show.type("gz")
        #expect(show.titles("bob ") || show.titles("ada ") && show.says("Who loses whom"))
    }

    /// What was recorded outlives the demonstration.
    @Test func aRecordingStays() throws {
        let show = try WatchedConsole.demonstration()
        #expect(show.says("not recording"))
        show.type("R")
        #expect(show.says("RECORDING "), "\(show.text)")
        show.type("R")
        #expect(show.says(" recorded "), "\(show.text)")
        show.console.send(SIGTERM)
        _ = show.console.wait()
        let folder = show.directory.path + "/state/recordings"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == 1 && names[0].hasSuffix(" demo.opus"), "\(names)")
    }
}

extension WatchedConsole {
    /// The demonstration with ada and bob.
    fileprivate static func demonstration() throws -> WatchedConsole {
        try WatchedConsole(
            ["demo", "--guests", "2", "--seconds", "120"], in: try TemporaryDirectory("hoot-demo-stage"))
    }

    /// Whether a title of the stage comes that begins so.
    fileprivate func titles(_ words: String) -> Bool {
        screen.watch { $0.stage?.title.hasPrefix(words) == true }
    }

    /// Whether so many different timecodes come, each later than the one before, of these sources alone.
    fileprivate func moves(_ count: Int, of numbers: Set<Int>, columns: Range<Int> = 0..<size.columns) -> Bool {
        screen.moves(count, of: numbers, columns: columns) { $0.stage?.rows }
    }
}
