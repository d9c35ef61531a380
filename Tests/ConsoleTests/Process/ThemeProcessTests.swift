import Foundation
import TestSupport
import Testing

/// Themes on a real terminal.
@Suite(.serialized)
struct ThemeProcessTests {
    private static func shows(_ console: ConsoleProcess, _ sequence: String) -> Bool {
        _ = console.screen { _ in String(decoding: console.terminal.output, as: UTF8.self).contains(sequence) }
        return String(decoding: console.terminal.output, as: UTF8.self).contains(sequence)
    }

    @Test func aThemeIsPreviewedAndAChangedFileIsFollowed() throws {
        let directory = try TemporaryDirectory("hoot-console")
        let themes = directory.path + "/config/themes"
        try FileManager.default.createDirectory(atPath: themes, withIntermediateDirectories: true)
        try Data("[console]\ntheme = mine\n".utf8).write(to: URL(fileURLWithPath: directory.path + "/config/hoot.conf"))
        try Data("[style]\nkey = 99\n".utf8).write(to: URL(fileURLWithPath: themes + "/mine.theme"))
        let console = try ConsoleProcess([], in: directory)
        defer { _ = try? ConsoleProcess.run(["core", "stop"], in: directory) }
        #expect(Self.shows(console, "38;5;99"), "the user's theme")
        try Data("[style]\nkey = 101\n".utf8).write(to: URL(fileURLWithPath: themes + "/mine.theme"))
        #expect(Self.shows(console, "38;5;101"), "the theme as it was changed")
        console.terminal.type(":theme no\t\r")
        #expect(Self.shows(console, "48;5;236"), "the background of the theme that was asked for")
        console.terminal.type("q")
        #expect(console.wait() == 0)
        let history = try String(contentsOfFile: directory.path + "/state/commands", encoding: .utf8)
        #expect(history == "theme nord\n")
    }

    @Test func theCommandListsThemesAndFailsOnAFault() throws {
        let directory = try TemporaryDirectory("hoot-console")
        #expect(try ConsoleProcess.run(["theme", "list"], in: directory) == 0)
        let path = directory.path + "/mine.theme"
        try Data("[style]\nkey = 99\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try ConsoleProcess.run(["theme", "check", path], in: directory) == 0)
        try Data("[style]\nkey = rouge\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try ConsoleProcess.run(["theme", "check", path], in: directory) == 1)
        #expect(try ConsoleProcess.run(["theme", "check"], in: directory) == 2)
        #expect(try ConsoleProcess.run(["theme", "burn"], in: directory) == 2)
    }
}
