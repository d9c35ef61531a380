import ControlProtocol
import Terminal
import Testing

@testable import Console

/// The mouse on pages, questions, the calls line and the home screen: what stands there is what a click does.
struct MouseTests {
    /// Clicks on the first of `word` that the screen shows.
    private func click(_ word: String, in fixture: inout Fixture, rows: Int = 24) throws {
        let lines = fixture.screen(rows: rows)
        let row = try #require(lines.firstIndex { $0.contains(word) }, "no \(word) in \(lines)")
        let start = try #require(lines[row].firstRange(of: word)).lowerBound
        let position = Position(row: row, column: lines[row].distance(from: lines[row].startIndex, to: start))
        let look = Look(theme: .standard, glyphs: .utf8)
        let size = Size(rows: rows, columns: 80)
        fixture.model.click(ClickTarget(at: position, fixture.model, size: size, look: look), at: fixture.now)
        try fixture.press("")
    }

    @Test func aClickSelectsASettingAndAnotherChangesIt() throws {
        var fixture = try Fixture.attached()
        try fixture.press("P")
        try fixture.answer("settings.list", Fixture.settings)
        for rows in [24, 12] {
            try click("echo-cancellation", in: &fixture, rows: rows)
            #expect(fixture.settingsPage?.selected?.name == "audio.echo-cancellation")
            try fixture.press("<home>")
        }
        try click("echo-cancellation", in: &fixture)
        #expect(fixture.requests == ["settings.list"])
        try click("> echo-cancellation", in: &fixture)
        #expect(fixture.requests.last == "settings.set name=\"audio.echo-cancellation\" value=false")
        try click("   name", in: &fixture)
        try click("> name", in: &fixture)
        #expect(fixture.settingsPage?.typing != nil)
        try click("default-route", in: &fixture)
        #expect(fixture.settingsPage?.typing != nil, "while a value is typed nothing else is selected")
        try fixture.press("<esc>")
        fixture.model.receive(.wheel(2, Position(row: 3, column: 3)), at: fixture.now)
        #expect(fixture.settingsPage?.selection == 2)
        try click("Settings:", in: &fixture)
        #expect(fixture.model.overlay == nil)
    }

    /// A list that moved under the mouse would have the second click hit something else.
    @Test func aListStandsStillUnderTheMouse() throws {
        var fixture = try Fixture.attached()
        fixture.model.size = Size(rows: 12, columns: 80)
        try fixture.press("P")
        try fixture.answer("settings.list", Fixture.settings)
        try fixture.press("G")
        for name in ["ice-servers", "turn-secret", "dialing-interval"] {
            let before = fixture.screen(rows: 12).firstIndex { $0.contains(name) }
            try click(name, in: &fixture, rows: 12)
            #expect(before != nil && fixture.screen(rows: 12).firstIndex { $0.contains("> \(name)") } == before)
        }
        try fixture.press("/route")
        #expect(fixture.settingsPage?.selected?.name == "audio.default-route")
        try fixture.press("<C-u>theme<enter>")
        #expect(fixture.settingsPage?.selected?.name == "console.theme" && fixture.settingsPage?.typing == nil)
        #expect(fixture.requests == ["settings.list"])
    }

    @Test func aClickPicksADevice() throws {
        var fixture = try Fixture.attached()
        try fixture.press("p")
        try fixture.answer("audio.devices", Fixture.devices)
        try click("Built-in analogue stereo", in: &fixture)
        #expect(fixture.requests == ["audio.devices"])
        try click("> Built-in analogue stereo", in: &fixture)
        #expect(fixture.requests.last == "audio.select input=\"alsa.pci\"" && fixture.model.overlay == nil)
    }

    @Test func aClickMakesAnInvite() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        try fixture.answer("room.invites", Fixture.invites)
        try fixture.press("n")
        try click("valid", in: &fixture)
        try click("> valid", in: &fixture)
        try fixture.press("<enter>")
        #expect(fixture.requests.last == #"room.invite expires=3600 role="guest" uses=0"#)
    }

    @Test func aClickSelectsAnInviteAndAnAddress() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("i")
        try fixture.answer("room.invites", Fixture.invites)
        func page() throws -> InvitePage {
            guard case .invite(let page) = fixture.model.overlay else { throw CancellationError() }
            return page
        }
        for rows in [24, 40] {
            try click("  192.168.1.23", in: &fixture, rows: rows)
            #expect(try page().address == 1)
            let copies = fixture.requests.count
            try click("> 192.168.1.23", in: &fixture, rows: rows)
            #expect(fixture.requests.count == copies + 1 && fixture.requests.last?.contains("//192.168.1.23:") == true)
            try click("  pi-meet.example", in: &fixture, rows: rows)
            #expect(try page().address == 0)
            try click("  2 ", in: &fixture, rows: rows)
            #expect(try page().selected?.number == 2)
            try fixture.press("k")
        }
        try click("Reachable by", in: &fixture)
        #expect(try page().selection == 0, "a title is no row")
        try click("Invite:", in: &fixture)
        #expect(fixture.model.overlay == nil)
    }

    @Test func theWheelTurnsWhatLiesUnderIt() throws {
        var fixture = try Fixture.inCall()
        let layout = ConsoleView.layout(fixture.model, size: fixture.model.size)
        func turn(_ row: Int?, _ notches: Int) throws -> String? {
            fixture.model.receive(.wheel(notches, Position(row: try #require(row), column: 4)), at: fixture.now)
            return fixture.model.selection
        }
        let selected = fixture.model.selection
        let other = try turn(layout.people?.lowerBound, 1)
        #expect(other != selected)
        for row in [layout.header, layout.loss?.lowerBound, layout.keyLines?.lowerBound] {
            #expect(try turn(row, -1) == other, "nothing lists people in row \(row ?? -1)")
        }
        #expect(try turn(layout.people?.lowerBound, -1) == selected)
        try fixture.press("L")
        fixture.model.size = Size(rows: 30, columns: 80)
        while fixture.model.lossDetail != .people { try fixture.press("L") }
        let table = ConsoleView.layout(fixture.model, size: fixture.model.size).loss
        #expect(try turn(table?.lowerBound, 1) == other)
    }

    @Test(arguments: [
        ("q", "l leave", "call.leave call=\"c1\" keepRoom=true"), ("jX", "y kick", "room.kick participant=\"p3\""),
    ])
    func aClickAnswersAQuestion(keys: String, word: String, request: String) throws {
        var fixture = try Fixture.hosting()
        try fixture.press(keys)
        let look = Look(theme: .standard, glyphs: .utf8)
        let corner = Position(row: 23, column: 79)
        #expect(ClickTarget(at: corner, fixture.model, size: Size(rows: 24, columns: 80), look: look) == nil)
        try click(word, in: &fixture)
        #expect(fixture.requests.last == request)
    }

    @Test func aClickAnswersWhoRings() throws {
        var fixture = try Fixture.inCall { $0.calls["c9"] = Fixture.ringing }
        try click("reject", in: &fixture)
        #expect(fixture.requests == ["call.reject call=\"c9\""])
        try fixture.press("?")
        try click("answer  x", in: &fixture)
        #expect(fixture.requests.last == "call.answer call=\"c9\"", "on a page too")
    }

    @Test func aClickOnTheCallsLineSwitches() throws {
        var fixture = try Fixture.inCall { state in
            var other = Fixture.call(startedAt: 1)
            (other.id, other.room, other.isHeld) = ("c2", "lunch", true)
            state.calls["c2"] = other
        }
        try click("1 standup", in: &fixture)
        #expect(fixture.requests.isEmpty, "it is there already")
        try click("2 lunch held", in: &fixture)
        #expect(fixture.requests == ["call.activate call=\"c2\""])
    }

    @Test func aClickOnARoomSelectsAndJoinsIt() throws {
        var fixture = try Fixture.attached { state in
            state.recentRooms = ["standup", "den", "den"].enumerated().map { index, name in
                RecentRoom(name: name, host: "h\(index)", lastJoinedAt: 0, isSaved: true)
            }
        }
        try click("3 den @ h2", in: &fixture)
        #expect(fixture.requests.isEmpty && fixture.model.homeSelection == 2)
        try click("> 3 den", in: &fixture)
        #expect(fixture.requests == ["call.join what=\"den@h2\""], "of two rooms of one name the other one")
    }
}
