import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// The page of settings, by keys.
struct SettingsPageTests {
    /// On the page, with the setting of that name selected.
    private func opened(_ name: String) throws -> Fixture {
        var fixture = try Fixture.attached()
        fixture.model.themes = ["dark", "light", "nord"]
        try fixture.press("P")
        #expect(fixture.screen().contains { $0.contains("asking the core…") })
        try fixture.answer("settings.list", Fixture.settings)
        let page = try #require(fixture.settingsPage)
        let index = try #require(page.settings.firstIndex { $0.name == name })
        try fixture.press(String(repeating: "j", count: index))
        #expect(fixture.settingsPage?.selected?.name == name)
        return fixture
    }

    @Test func everySettingStandsInItsGroupWithItsMeaning() throws {
        let fixture = try opened("call.answer-interval")
        let screen = fixture.screen(rows: 30)
        #expect(screen.contains(" call"))
        #expect(screen.contains(" > answer-interval       45"))
        #expect(
            screen.suffix(3).contains { $0.contains("seconds that somebody has to answer (10 to 60; 45 by itself)") })
    }

    @Test func aNumberIsTypedAndItsRangeIsSaid() throws {
        var fixture = try opened("call.answer-interval")
        try fixture.press("<enter>")
        #expect(fixture.screen().last == " call.answer-interval (10 to 60): 45")
        try fixture.press("<C-u>5<enter>")
        #expect(fixture.requests == ["settings.list", "settings.set name=\"call.answer-interval\" value=\"5\""])
        let why = "parameter “call.answer-interval”: expected a whole number from 10 to 60, got “5”"
        try fixture.refuse("settings.set", why)
        #expect(fixture.screen(columns: 100).last == " call.answer-interval (10 to 60): 5", "what was typed is kept")
        #expect(fixture.screen(columns: 100).contains { $0.contains(why) })
        try fixture.press("0<enter>")
        #expect(fixture.requests.last == "settings.set name=\"call.answer-interval\" value=\"50\"")
        try fixture.answer("settings.set", .integer(50))
        #expect(fixture.screen().contains(" > answer-interval       50"))
        #expect(!fixture.screen().contains { $0.contains("expected") })
    }

    @Test func whatCanBeChosenIsSteppedThrough() throws {
        var fixture = try opened("audio.default-route")
        try fixture.press("l")
        #expect(fixture.requests.last == "settings.set name=\"audio.default-route\" value=\"speaker\"")
        try fixture.answer("settings.set", .string("speaker"))
        try fixture.press("hh")
        #expect(
            fixture.requests.suffix(2)
                == Array(repeating: "settings.set name=\"audio.default-route\" value=\"auto\"", count: 2),
            "what has not been taken does not count")
    }

    @Test(arguments: [
        ("console.theme", "<enter>", "\"light\""), ("audio.echo-cancellation", " ", "false"),
        ("call.answer-interval", "x", "\"45\""), ("network.ice-servers", "x", "\"\""),
    ])
    func aKeyTakesTheNextValueOrTheOneOfBefore(name: String, key: String, value: String) throws {
        var fixture = try opened(name)
        try fixture.press(key)
        #expect(fixture.requests.last == "settings.set name=\"\(name)\" value=\(value)")
    }

    @Test func aDeviceIsPicked() throws {
        var fixture = try opened("audio.input")
        try fixture.press("<enter>")
        #expect(fixture.requests.last == "audio.devices")
        try fixture.answer("audio.devices", Fixture.devices)
        try fixture.press("j<enter>")
        #expect(fixture.requests.suffix(2) == ["audio.select input=\"alsa.usb\"", "settings.list"])
        #expect(fixture.settingsPage?.selected?.name == "audio.input", "the page is back where it was")
    }

    @Test func devicesOfOneNameAreToldApart() throws {
        var fixture = try opened("audio.input")
        try fixture.press("<enter>")
        let twins: [JSONValue] = ["left", "right"].map {
            .object(["name": .string($0), "description": .string("USB headset")])
        }
        try fixture.answer("audio.devices", .object(["inputs": .array(twins), "outputs": .array([twins[0]])]))
        let screen = fixture.screen().joined(separator: "\n")
        #expect(screen.contains("USB headset (left)") && screen.contains("USB headset (right)"))
        #expect(screen.ranges(of: "(left)").count == 1, "one alone needs no more than its description")
    }

    @Test func secretsAreNeitherShownNorKept() throws {
        var fixture = try opened("network.turn-secret")
        try fixture.press("<enter>hush")
        #expect(fixture.screen().last == " network.turn-secret (text): ****")
        fixture = try opened("network.ice-servers")
        try fixture.press("<enter>")
        #expect(fixture.screen().last == " network.ice-servers (list, with commas):", "what is hidden is not sent back")
    }

    @Test func aPasteGoesIntoTheLineAndEscapeLeavesIt() throws {
        var fixture = try opened("person.name")
        fixture.paste("nobody types it")
        #expect(fixture.screen().last?.contains("nobody") == false)
        try fixture.press("<enter>")
        fixture.paste("Ann B.\n")
        #expect(fixture.screen().last == " person.name (text): Ann B.")
        try fixture.press("<esc>")
        #expect(fixture.settingsPage != nil && fixture.requests == ["settings.list"])
        try fixture.press("<esc>")
        #expect(fixture.model.overlay == nil)
    }

    @Test func whatIsPastedIsLookedForToo() throws {
        var fixture = try opened("person.name")
        try fixture.press("/")
        fixture.paste("ice-servers")
        try fixture.press("<enter><enter>")
        #expect(fixture.screen().last?.contains("network.ice-servers") == true)
    }

    @Test func itIsTypedAsACommandToo() throws {
        var fixture = try Fixture.inCall()
        try fixture.press(":settings<enter>")
        #expect(fixture.settingsPage != nil)
    }

    @Test func aRefusalThatComesLateIsAMessage() throws {
        var fixture = try opened("person.name")
        try fixture.press("<enter>x<enter><esc>")
        try fixture.refuse("settings.set", "the name is too long")
        #expect(fixture.model.log.messages.last?.text == "the name is too long")
    }

    @Test func theSelectedOneIsOnEveryScreen() throws {
        var fixture = try opened("network.turn-secret")
        for (rows, columns) in [(4, 20), (6, 20), (24, 80), (200, 500)] {
            #expect(fixture.screen(rows: rows, columns: columns).contains { $0.hasPrefix(" > turn-secret") })
        }
        try fixture.press("<home><end>")
        #expect(fixture.settingsPage?.selection == fixture.settingsPage.map { $0.settings.count - 1 })
    }
}

extension Fixture {
    var settingsPage: SettingsPage? {
        guard case .settings(let page) = model.overlay else { return nil }
        return page
    }

    /// An answer of `settings.list`: one setting of each kind.
    static var settings: JSONValue {
        func setting(
            _ name: String, _ kind: SettingState.Kind, _ value: JSONValue, _ fallback: JSONValue, _ summary: String,
            _ change: (inout SettingState) -> Void = { _ in }
        ) -> SettingState {
            var state = SettingState(name: name, kind: kind, value: value, fallback: fallback, summary: summary)
            change(&state)
            return state
        }
        let all = [
            setting(
                "person.name", .text, .string(""), .string(""), "the name that others see; the login name when empty"),
            setting(
                "audio.input", .text, .string("usb"), .string("default"), "the microphone's stable name, or default"),
            setting("audio.echo-cancellation", .boolean, .bool(true), .bool(true), "off by itself with headphones"),
            setting("audio.default-route", .choice, .string("auto"), .string("auto"), "where calls begin") {
                $0.choices = ["auto", "speaker", "receiver"]
            },
            setting("call.answer-interval", .number, .integer(45), .integer(45), "seconds that somebody has to answer")
            {
                ($0.least, $0.most) = (10, 60)
            },
            setting("call.dialing-interval", .number, .integer(9), .integer(5), "seconds between invitations") {
                ($0.least, $0.most) = (3, 60)
            },
            setting("network.ice-servers", .list, .array([.string("turn:u:…@h")]), .array([]), "STUN and TURN servers")
            {
                $0.isSecret = true
            },
            setting("network.turn-secret", .text, .string("…"), .string(""), "what TURN servers share with hoot") {
                $0.isSecret = true
            },
            setting("console.theme", .text, .string("dark"), .string("dark"), "a theme's name"),
        ]
        return .object(["settings": (try? JSONValue(encoding: all)) ?? .null])
    }
}
