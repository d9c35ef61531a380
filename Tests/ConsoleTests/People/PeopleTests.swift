import ControlProtocol
import Foundation
import Primitives
import Terminal
import Testing

@testable import Console

/// Order, filter, badges and talk of the people panel.
struct PeopleTests {
    private func speak(_ id: String, for duration: Duration, in fixture: inout Fixture) {
        var levels = Fixture.levels()
        levels.speaking = id
        levels.people[id] = -20
        for _ in 0..<Int(duration.milliseconds / 100) {
            fixture.wait(.milliseconds(100))
            fixture.send(levels)
        }
    }

    @Test func whoSpeaksForAWhileGoesFirst() throws {
        var fixture = try Fixture.inCall()
        speak("p4", for: .milliseconds(1500), in: &fixture)
        #expect(fixture.model.rows == ["me", "p2", "p3", "p4"], "a word moves nobody")
        speak("p4", for: .seconds(1), in: &fixture)
        #expect(fixture.model.rows == ["me", "p4", "p2", "p3"])
        speak("p3", for: .seconds(3), in: &fixture)
        #expect(fixture.model.rows == ["me", "p3", "p4", "p2"])
    }

    @Test func noRowMovesWhileSomebodyIsSelected() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("2")
        speak("p4", for: .seconds(4), in: &fixture)
        #expect(fixture.model.rows == ["me", "p2", "p3", "p4"])
        try fixture.press("<esc>")
        speak("p4", for: .seconds(1), in: &fixture)
        #expect(fixture.model.rows == ["me", "p4", "p2", "p3"])
        #expect(fixture.model.selection == "p2", "keys mean the same person, whoever speaks")
    }

    @Test func whoComesIsLastAndWhoGoesLeavesNoGap() throws {
        var fixture = try Fixture.inCall()
        speak("p4", for: .seconds(3), in: &fixture)
        try fixture.change { state in
            state.calls["c1"]?.people["p2"] = nil
            state.calls["c1"]?.people["p9"] = Participant(id: "p9", name: "eva")
            state.calls["c1"]?.order.append("p9")
        }
        #expect(fixture.model.rows == ["me", "p4", "p3", "p9"])
    }

    @Test func theFilterShowsWhoseNameHasIt() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("/E")
        #expect(fixture.model.shownRows == ["p4"], "as it is typed")
        try fixture.press("<enter>")
        #expect(fixture.screen().contains { $0.hasPrefix("─ People: E ") })
        #expect(fixture.model.selection == "p4")
        try fixture.press("s")
        #expect(fixture.requests == ["participant.silence on=true participant=\"p4\""])
        try fixture.press("<esc>")
        #expect(fixture.model.shownRows.count == 4)
        try fixture.press("/zzz<enter>s")
        #expect(fixture.model.shownRows.isEmpty)
        #expect(fixture.screen().contains { $0.hasPrefix("─ People: zzz ─ nobody; esc shows all ") })
        #expect(fixture.model.log.messages.last?.text == "s silence: select somebody else")
    }

    @Test func badgesTellAllThatThereIsRoomFor() {
        var person = Participant(id: "p", name: "eva")
        person.link = .connected
        (person.isSilenced, person.isMuted, person.volumePercent, person.video) = (true, true, 80, .off)
        #expect(
            PeopleView.words(of: person) == [
                "silenced here, muted by eva, 80%, video off", "silenced, muted, 80%, video off", "silenced here",
                "silenced",
            ])
        var seen = Participant(id: "p", name: "eva")
        (seen.link, seen.picture) = (.connected, PictureState(width: 320, height: 240))
        #expect(PeopleView.words(of: seen).isEmpty)
        for (limit, words) in [(VideoLimit.smallPicture, "small picture"), (.soundOnly, "sound only")] {
            seen.picture?.limit = limit
            #expect(PeopleView.words(of: seen).first == words)
        }
        person.link = .lost
        #expect(PeopleView.words(of: person).first == "LOST")
    }

    /// It goes before everything else, and is seen where no row is wide enough, or none is shown.
    @Test func whoRecordsIsSeenOnEveryScreen() throws {
        var fixture = try Fixture.inCall { state in
            state.calls["c1"]?.people["p3"]?.isRecording = true
            state.calls["c1"]?.people["p3"]?.isSilenced = true
        }
        let wide = fixture.screen(rows: 43, columns: 200)
        #expect(wide.contains { $0.contains("chi") && $0.contains("records the call, silenced here") })
        let narrow = fixture.screen(rows: 20, columns: 60)
        let row = try #require(narrow.dropFirst(2).first { $0.contains("3  chi") })
        #expect(row.contains("records") && !row.contains("silenced"))
        #expect(narrow[1].contains("chi records"))
        try fixture.change { $0.calls["c1"]?.people["p2"]?.isRecording = true }
        #expect(fixture.screen(rows: 43, columns: 132)[1].contains("2 record "))
        try fixture.change { state in
            for id in ["p2", "p3"] { state.calls["c1"]?.people[id]?.isRecording = nil }
        }
        let former = fixture.screen(rows: 43, columns: 132)
        #expect(former[1].contains("not recording") && !former.dropLast(3).contains { $0.contains("records") })
    }

    @Test func theOwnRecordingIsSwitchedByAKeyAndShowsItsTime() throws {
        var fixture = try Fixture.inCall()
        #expect(fixture.screen()[1].contains("not recording"))
        try fixture.press("R")
        #expect(fixture.requests.last == "call.record on=true")
        try fixture.refuse("call.record", "the disk is full")
        #expect(fixture.model.log.messages.last?.text.contains("cannot record: the disk is full") == true)
        let start = fixture.now.wallMs
        try fixture.change { $0.calls["c1"]?.recording = RecordingState(path: "/r/a.opus", startedAt: start) }
        fixture.wait(.seconds(62))
        for columns in [40, 80, 200] {
            let line = fixture.screen(rows: 24, columns: columns)[1]
            #expect(line.contains("RECORDING 1:02") && !line.contains("not recording"), "\(line)")
        }
        #expect(StatusText.lines(fixture.model.state).contains("recording the call in /r/a.opus"))
        try fixture.press("R")
        #expect(fixture.requests.last == "call.record on=false")
    }

    @Test func wideScreensShowTenSecondsOfTalk() throws {
        var fixture = try Fixture.inCall()
        speak("p3", for: .seconds(3), in: &fixture)
        fixture.wait(.seconds(2))
        let row = fixture.screen(rows: 43, columns: 132).first { $0.contains("2  chi") }
        #expect(row?.contains("     ▆▆▆▆  ") == true, "\(row ?? "")")
        #expect(fixture.screen(rows: 43, columns: 132).contains { $0.contains(" 10 s ") })
        #expect(!fixture.screen(rows: 24, columns: 80)[2].contains("10 s"))
    }

    @Test func fiveHundredPeopleScroll() throws {
        var fixture = try Fixture.withMany(500)
        try fixture.press("<end>")
        #expect(fixture.model.selection == "q500")
        #expect(fixture.screen(rows: 60, columns: 200).contains { $0.hasPrefix(">501 person 500") })
        try fixture.press("<home><pagedown>")
        #expect(fixture.model.selection == "q12")
    }

    @Test func whoIsNotSentOurPictureAndWhoGoesFirstIsTold() throws {
        var fixture = try Fixture.inCall { state in
            state.calls["c1"]?.people["p3"]?.unsentReason = "takes no VP9, which the others need"
            state.calls["c1"]?.people["p3"]?.isPrioritized = true
        }
        try fixture.press("3")
        let screen = fixture.screen(rows: 43, columns: 200)
        #expect(screen.contains { $0.contains("chi") && $0.contains("picture first, does not see you") })
        #expect(screen.contains { $0.contains("VS not sent: chi takes no VP9, which the others need") })
        try fixture.press("F")
        #expect(fixture.requests == ["participant.prioritize on=false participant=\"p3\""])
        try fixture.press("2F")
        #expect(fixture.requests.last == "participant.prioritize on=true participant=\"p2\"")
    }

    @Test func aSharedTerminalIsTypedInto() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("K")
        #expect(fixture.model.log.messages.last?.text == "K type: no terminal is shared; C shares one")
        try fixture.change { state in
            state.video.source = VideoSourceState(name: "terminal:bash", description: "terminal")
            state.video.source?.isText = true
        }
        try fixture.press("Kls -l<enter>")
        #expect(fixture.requests == ["video.type text=\"ls -l\\r\""])
    }

    @Test func whoWaitsIsNamedAndOfferedToTheRing() throws {
        var fixture = try Fixture.inCall { $0.calls["c1"]?.waiting = ["eva", "gil"] }
        #expect(fixture.screen().contains("     eva, gil wait: b rings"))
        try fixture.press("b")
        #expect(fixture.screen()[22] == " eva  gil")
        try fixture.press("g<tab><enter>")
        #expect(fixture.requests == ["room.ring names=[\"gil\"]"])
        try fixture.change { $0.calls["c1"]?.ringing = ["gil": .ringing] }
        #expect(fixture.screen().contains("     eva waits: b rings"))
        #expect(fixture.screen().contains { $0.hasPrefix("     gil          ringing") })
        #expect(fixture.screen(rows: 10, columns: 20).allSatisfy { $0.count <= 20 })
    }

    /// 500 columns hold four blocks; the mouse finds who stands in them.
    @Test func manyPeopleStandSideBySideOnAWideScreen() throws {
        var fixture = try Fixture.withMany(60)
        try fixture.press("<end>")
        let size = Size(rows: 60, columns: 500)
        let lines = fixture.screen(rows: size.rows, columns: size.columns)
        let row = try #require(lines.firstIndex { $0.contains("person 60") })
        #expect(
            lines[row].contains("person 12") && lines[row].contains("person 28") && lines[row].contains("person 44"))
        #expect(lines[2].components(separatedBy: "0 dBov").count == 5, "each block has its headings")
        let look = Look(theme: .standard, glyphs: .utf8)
        for (column, id) in [(8, "q12"), (125, "q28"), (250 + 8, "q44"), (375 + 9, "q60")] {
            let target = ClickTarget(at: Position(row: row, column: column), fixture.model, size: size, look: look)
            #expect(target == .person(id), "\(column)")
        }
        #expect(fixture.surface(rows: 60, columns: 500).focus == Position(row: row, column: 375))
        #expect(lines.contains { $0.hasPrefix("─ Who loses") || $0.hasPrefix("─ Loss of person 60") })
    }
}
