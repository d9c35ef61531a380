import ControlProtocol
import KeyFiles
import Terminal
import Testing

@testable import Console

/// What keys do in a line that is being typed, and in lists.
struct PromptTests {
    @Test(arguments: [
        ("hallo<left><left><left><left><backspace>", "|allo"), ("ab<C-a>x<C-e>y", "xaby|"), ("ab<home><delete>", "|b"),
        ("one two  three<C-w>", "one two  |"), ("one two  three<C-left><C-w>", "one |three"),
        ("one two<A-b><A-b><A-f>", "one| two"), ("one two<home><C-right><C-right>", "one two|"),
        ("one two<A-b><C-k>", "one |"), ("one two<A-b><C-u>", "|two"), ("ab<left><C-d>", "a|"),
        ("日本<left>語", "日語|本"), ("<left><right><backspace><delete><C-w>a", "a|"),
    ])
    func aLineIsEditedAtTheCursor(keys: String, line: String) throws {
        var fixture = try Fixture.inCall()
        try fixture.press("t" + keys)
        guard case .text(let prompt) = fixture.model.overlay else { return #expect(Bool(false), "no line") }
        #expect(prompt.before + "|" + prompt.after == line)
        try fixture.press("<enter>")
        #expect(fixture.requests.last == "chat.send text=\"\(line.replacing("|", with: "").trimmed)\"")
    }

    @Test func theCursorIsSeenWhereverItIs() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("t" + String(repeating: "日本語 ", count: 20) + "the end")
        #expect(fixture.screen(columns: 40).last?.hasSuffix("the end") == true)
        #expect(fixture.surface(rows: 24, columns: 40).cursor == Position(row: 23, column: 39))
        try fixture.press("<home>")
        #expect(fixture.screen(columns: 40).last?.hasPrefix(" say: 日本語 日本語") == true)
        #expect(fixture.surface(rows: 24, columns: 40).cursor == Position(row: 23, column: 6))
        try fixture.press("<esc>l")
        fixture.paste("https://pi:7443/r/standup#TOKEN")
        try fixture.press("<left><left>")
        let last = fixture.screen().last ?? ""
        #expect(last.hasSuffix("standup#*****") && !last.contains("TOKEN"), "no part of a secret is shown")
        #expect(fixture.surface(rows: 24, columns: 80).cursor?.column == last.count - 2)
    }

    @Test func listsAreMovedThroughAsInAPager() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("?G")
        guard case .help(let end) = fixture.model.overlay else { return #expect(Bool(false), "no help") }
        #expect(end > 40)
        for (keys, scroll) in [("g", 0), ("<C-f>", 22), ("<C-d>", 33), ("<C-u>", 22), ("<C-b>", 0), ("<space>k", 21)] {
            try fixture.press(keys)
            #expect(fixture.model.overlay == .help(scroll: scroll), "\(keys)")
        }
        try fixture.press("<esc>P")
        try fixture.answer("settings.list", Fixture.settings)
        try fixture.press("G")
        #expect(fixture.settingsPage?.selected?.name == "console.theme")
        try fixture.press("g")
        #expect(fixture.settingsPage?.selection == 0)
        try fixture.press("<esc>p")
        try fixture.answer("audio.devices", Fixture.devices)
        try fixture.press("G<enter>")
        #expect(fixture.requests.last == "audio.select output=\"alsa.pci\"")
    }

    /// A key of the user's own asks nothing.
    @Test func hangingUpAsksUnlessItHasAKeyOfItsOwn() throws {
        let file = KeyFile(text: "[keys]\nhang-up = Q\ndetach = D\n", name: "keys.conf")
        let loaded = KeyMap.load(file)
        #expect(loaded.warnings.isEmpty)
        for (key, method) in [("Q", "call.leave"), ("D", "core.detach")] {
            var fixture = Fixture(keys: loaded.map)
            fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
            var state = CoreState()
            state.activeCall = "c1"
            state.calls["c1"] = Fixture.call(startedAt: 1)
            try fixture.send(state)
            fixture.effects = []
            try fixture.press(key)
            #expect(fixture.requests.last?.hasPrefix(method) == true && fixture.model.overlay == nil)
        }
        var fixture = try Fixture.inCall()
        try fixture.press("Q")
        #expect(fixture.requests.isEmpty)
    }
}
