import Primitives
import Testing

struct DisplayTextTests {
    static let cases: [(text: String, shown: String)] = [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("a \u{1B}[31mred\u{1B}]0;title\u{7}", "a [31mred]0;title"),
        ("\u{9B}2J\u{85}", "2J"),
        ("alice\u{200B}\u{FEFF}", "alice"),
        ("\u{202E}gnp.exe", "gnp.exe"),
        ("خانه\u{200C}ها 👩\u{200D}🚀", "خانه\u{200C}ها 👩\u{200D}🚀"),
    ]

    @Test(arguments: cases) func nothingSteersTheTerminal(text: String, shown: String) {
        #expect(text.displayable == shown)
    }

    @Test func controlsAreTakenOutKeptOrMarkedAsWished() {
        let text = "a\nb\u{1B}c\u{202E}"
        #expect(text.cleaned() == "abc")
        #expect(text.cleaned(keeping: ["\n"]) == "a\nbc")
        #expect(text.cleaned(mark: " ") == "a b c ")
    }

    @Test(arguments: [("äöü", 6, "äöü"), ("äöü", 5, "äö"), ("👩\u{200D}🚀x", 11, "👩\u{200D}🚀"), ("👩\u{200D}🚀x", 10, "")])
    func aLimitCutsBetweenCharacters(text: String, limit: Int, cut: String) {
        #expect(text.cleaned(limit: limit) == cut)
    }
}
