import Terminal
import Testing

struct KeyNotationTests {
    @Test(arguments: [
        "m", "M", "C-c", "A-1", "S-tab", "F2", "F12", "enter", "esc", "space", "C-A-x", "pageup", "?", "é",
    ])
    func whatIsReadIsWrittenTheSame(text: String) {
        #expect(Key(parsing: text)?.description == text)
    }

    @Test(arguments: ["", "mm", "X-a", "F0", "F99", "C-", "Control-c"])
    func whatNamesNoKeyIsNil(text: String) {
        #expect(Key(parsing: text) == nil)
    }

    @Test func aMinusAndACommaCanBeBound() {
        #expect(Key(parsing: "-") == Key("-"))
        #expect(Key(parsing: "C--") == Key("-", .control))
        #expect(Key(parsing: "comma") == Key(","))
    }

    @Test func sequencesMixCharactersAndNames() {
        #expect(Key.sequence("jj<enter>") == [Key("j"), Key("j"), Key(.enter)])
        #expect(Key.sequence("<C-c>q<lt>") == [Key("c", .control), Key("q"), Key("<")])
        #expect(Key.sequence("<nokey>") == nil)
    }
}
