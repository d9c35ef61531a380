import Foundation
import Primitives
import TestSupport
import Testing

@testable import Console

struct ThemeReportTests {
    private let scratch: TemporaryDirectory

    init() throws {
        scratch = try TemporaryDirectory("hoot-theme")
        try FileManager.default.createDirectory(atPath: scratch.path + "/themes", withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws -> String {
        let path = "\(scratch.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func theListMarksTheThemeThatIsUsed() throws {
        _ = try write("[console]\ntheme = mine\n", to: "hoot.conf")
        _ = try write("[theme]\nauthor = eva\nbackground = light\n", to: "themes/mine.theme")
        let list = ThemeReport.list(Directories(environment: ["HOOT_CONFIG_DIR": scratch.path], userID: 0))
        #expect(list.count == 11)
        #expect(list.first == "  dark             dark        hoot")
        #expect(list[9] == "  nord             dark        hoot, from Sven Greb's Nord")
        #expect(list.last == "* mine             light       eva")
    }

    @Test func theListNamesTheThemeThatIsMissing() throws {
        _ = try write("[console]\ntheme = gone\n", to: "hoot.conf")
        let list = ThemeReport.list(Directories(environment: ["HOOT_CONFIG_DIR": scratch.path], userID: 0))
        #expect(list.first == "* gone  is not there: dark is shown instead")
        #expect(list.dropFirst().allSatisfy { !$0.hasPrefix("*") })
    }

    @Test func aCheckTellsFaultsByTheirLineAndRemarksByTheirDepth() throws {
        let path = try write(
            "[theme]\nbackground = dark\n[palette]\nhot = #d75f5f;999;1\n[style]\nmic.lvie = bold\nloss = 2\nloss.bad = #875f00",
            to: "mine.theme")
        let findings = try ThemeReport.check(path: path)
        let faults = findings.filter(\.isFault).map { $0.text.replacing(scratch.path + "/", with: "") }
        #expect(
            faults == [
                "mine.theme:4: \"#d75f5f;999;1\" is no colour", "mine.theme:6: nothing has the scope \"mic.lvie\"",
            ])
        let remarks = findings.filter { !$0.isFault }.map(\.text)
        #expect(
            remarks.contains { $0.hasPrefix("with 24-bit") && $0.hasSuffix("loss.bad (#875f00) has a contrast of 3.7") }
        )
        #expect(remarks.contains { $0.contains("256") && $0.contains("meter and meter.loud look alike in protanopia") })
        let texts = remarks.map { $0.drop { $0 != ":" } }
        #expect(Set(texts).count == texts.count, "each is told once, with all depths")
    }

    @Test func itsParentIsFoundBesideIt() throws {
        _ = try write("[style]\nkey = red\n", to: "parent.theme")
        let path = try write("[theme]\ninherits = parent\n", to: "heir.theme")
        #expect(try ThemeReport.check(path: path).allSatisfy { !$0.isFault })
    }

    @Test(arguments: [
        ("nothing.theme", "No such file or directory"), ("dark.conf", "it is no theme's file"),
        (".theme", "No such file or directory"), ("themes", "it is no theme's file"),
    ])
    func whatCannotBeCheckedIsAnError(name: String, why: String) {
        let error = #expect(throws: UserFacingError.self) {
            try ThemeReport.check(path: "\(scratch.path)/\(name)")
        }
        #expect(error?.why == why)
    }
}
