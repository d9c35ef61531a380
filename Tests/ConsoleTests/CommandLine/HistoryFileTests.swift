import Foundation
import Primitives
import TestSupport
import Testing

@testable import Console

struct HistoryFileTests {
    private let scratch: TemporaryDirectory
    private let file: HistoryFile

    init() throws {
        scratch = try TemporaryDirectory("hoot-history")
        file = HistoryFile(Directories(environment: ["HOOT_STATE_DIR": scratch.path], userID: 0))
    }

    @Test func linesAreKeptForTheUserAlone() throws {
        file.add("mute")
        file.add("status")
        file.add("status")
        #expect(file.lines() == ["mute", "status"])
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? Int) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["commands"])
    }

    @Test func theFileIsBounded() {
        for number in 0..<CommandHistory.limit + 10 { file.add("line \(number)") }
        #expect(file.lines().count == CommandHistory.limit)
        #expect(file.lines().first == "line 10")
    }

    @Test func whatAnotherProgramWroteIsSifted() throws {
        try Data("mute\n\u{1B}[31m\njoin a#b\n\u{FF}\n".utf8).write(to: URL(fileURLWithPath: file.path))
        #expect(file.lines() == ["mute", "\u{FF}"])
    }

    @Test func aDirectoryInItsPlaceHindersNobody() throws {
        try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
        file.add("mute")
        #expect(file.lines().isEmpty)
    }
}
