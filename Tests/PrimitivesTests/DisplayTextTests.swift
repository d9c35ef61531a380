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
}
