import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// Focus, zoom, the loss panel's forms, and the mouse.
struct PanelTests {
    @Test func tabGoesRoundThePanelsThatThereAre() throws {
        var fixture = try Fixture.inCall()
        var seen: [Panel] = []
        for _ in 0..<4 {
            try fixture.press("<tab>")
            seen.append(fixture.model.focus)
        }
        #expect(seen == [.loss, .messages, .people, .loss])
        try fixture.press("<S-tab>")
        #expect(fixture.model.focus == .people)
        let size = Size(rows: 24, columns: 80)
        let surface = ConsoleView.render(fixture.model, size: size, look: Look(theme: .standard, glyphs: .utf8))
        #expect(surface[2, 2].style.attributes.contains(.reverse), "the title of the chosen panel is marked")
    }

    @Test(arguments: [
        (0, "People"), (1, "Who loses whom"), (2, "Messages"),
    ])
    func aZoomedPanelHasTheScreen(tabs: Int, title: String) throws {
        var fixture = try Fixture.inCall()
        try fixture.press(String(repeating: "<tab>", count: tabs) + "z")
        let titles = fixture.screen().filter { $0.hasPrefix("─ ") }
        #expect(titles.count == 1 && titles[0].hasPrefix("─ \(title)"))
        #expect(fixture.screen()[1].hasPrefix("█ MIC LIVE █"))
        #expect(fixture.screen().last?.contains("q leave or detach") == true)
        try fixture.press("z")
        #expect(fixture.screen().filter { $0.hasPrefix("─ ") }.count == 4)
    }

    @Test func theMicrophoneIsOnEveryZoomedScreen() throws {
        for panel in Panel.allCases {
            for rows in 1...30 {
                let layout = ScreenLayout(
                    size: Size(rows: rows, columns: 80), peopleCount: 4, lossHeight: 10, zoomed: panel)
                let used =
                    [layout.microphone]
                    + [layout.people, layout.stage, layout.loss, layout.messages]
                    .flatMap { $0.map(Array.init) ?? [] }
                #expect(Set(used).count == used.count && used.allSatisfy { (0..<rows).contains($0) })
            }
        }
    }

    @Test func theLossPanelIsALineATableOrAll() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("3L")
        #expect(
            fixture.screen().contains {
                $0.hasPrefix("─ Loss of chi: AR 7.8%  AS 0.1% ─")
                    && $0.hasSuffix(" chi's uplink loses 8%: all hear it ─")
            })
        #expect(!fixture.screen().contains { $0.contains("speaker     you") })
        try fixture.press("L")
        let table = fixture.screen()
        #expect(table.contains { $0.contains("AR now  AS now      RTT  AR lost  AS lost  concealed   late") })
        #expect(
            table.contains {
                $0.hasPrefix("> chi            7.8%    0.1%    61 ms      412        3       2.1%   0.3%")
            })
        #expect(
            table.contains {
                $0.hasPrefix("  dee               –    0.0%    38 ms        –        –          –      –")
            })
        try fixture.press("L")
        #expect(fixture.screen().contains { $0.contains("speaker     you") })
    }

    @Test func theMouseSelectsFocusesAndPressesKeys() throws {
        var fixture = try Fixture.inCall()
        let (size, look) = (Size(rows: 24, columns: 80), Look(theme: .standard, glyphs: .utf8))
        func target(_ word: String) throws -> ClickTarget? {
            let lines = fixture.screen()
            let row = try #require(lines.lastIndex { $0.contains(word) })
            let column = lines[row].distance(
                from: lines[row].startIndex, to: try #require(lines[row].firstRange(of: word)).lowerBound)
            return ClickTarget(at: Position(row: row, column: column), fixture.model, size: size, look: look)
        }
        #expect(try target("dee          muted") == .person("p4"))
        #expect(try target("Who loses") == .panel(.loss))
        #expect(try target("hold") == .action("hold"))
        fixture.model.click(try target("dee          muted"), at: fixture.now)
        #expect(fixture.model.selection == "p4")
        fixture.model.click(try target("Who loses"), at: fixture.now)
        #expect(fixture.model.focus == .loss)
        fixture.model.click(try target("deafen"), at: fixture.now)
        #expect(fixture.model.takeEffects().count == 1)
        fixture.model.receive(.wheel(-1, Position(row: 4, column: 4)), at: fixture.now)
        #expect(fixture.model.selection == "p3")
        try fixture.press("?")
        #expect(try target("mute or unmute") == nil, "a line of text takes no clicks")
        fixture.model.receive(.wheel(1, Position(row: 4, column: 4)), at: fixture.now)
        #expect(fixture.model.overlay == .help(scroll: 1))
        fixture.model.click(try target("Keys and words"), at: fixture.now)
        #expect(fixture.model.overlay == nil, "the title leads back")
    }

    @Test func aClickOnTheHomeScreensKeysDoesWhatTheyDo() throws {
        let fixture = try Fixture.attached()
        let size = Size(rows: 24, columns: 80)
        let last = fixture.screen()[23]
        let column = last.distance(from: last.startIndex, to: try #require(last.firstRange(of: "q quit")).lowerBound)
        let look = Look(theme: .standard, glyphs: .utf8)
        #expect(
            ClickTarget(at: Position(row: 23, column: column + 3), fixture.model, size: size, look: look)
                == .action("quit"))
        #expect(ClickTarget(at: Position(row: 23, column: 79), fixture.model, size: size, look: look) == nil)
    }
}
