import Terminal
import TestSupport
import Testing

@testable import Console

/// What the README shows of the console. `RECORD=1` writes it anew.
struct ReadmeTests {
    @Test func theTableOfKeysIsTheBindings() throws {
        let section = try GeneratedSection("keys", of: "README.md")
        #expect(try section.isOrBecomes(KeyMap.standard.markdownTable), "RECORD=1 swift test writes it anew")
    }

    @Test func thePictureIsTheScreen() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("3")
        let lines = fixture.surface(rows: 20, columns: 80, glyphs: .utf8).lines
        let picture = (["```"] + lines + ["```"]).joined(separator: "\n")
        let section = try GeneratedSection("screen", of: "README.md")
        #expect(try section.isOrBecomes(picture), "RECORD=1 swift test writes it anew")
    }
}
