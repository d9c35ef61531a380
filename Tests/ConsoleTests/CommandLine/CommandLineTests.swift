import ControlProtocol
import Testing

@testable import Console

/// What is typed behind `:`.
struct CommandLineTests {
    @Test(arguments: [
        ("mute", "audio.mute on=true"), ("join standup", "call.join muted=false what=\"standup\""),
        ("audio.gain percent=120", "audio.gain percent=120"),
        ("participant.volume participant=bob percent=80", "participant.volume participant=\"bob\" percent=80"),
        ("silence-all", "participants.silence on=true"), ("dance", nil), ("route", nil),
        ("route receiver", "audio.route route=\"receiver\""),
    ])
    func aLineIsAVerbAMethodOrWhatAKeyDoes(line: String, request: String?) throws {
        var fixture = try Fixture.inCall()
        try fixture.press(":\(line)<enter>")
        #expect(fixture.requests.filter { !$0.hasPrefix("remember") } == [request].compactMap { $0 })
        #expect(fixture.model.overlay == nil)
    }

    @Test func aVerbAloneIsItsKey() throws {
        var fixture = try Fixture.inCall()
        try fixture.press(":note<enter>")
        #expect(fixture.model.overlay != nil, "the note is asked for")
        try fixture.press("<esc>j:silence<enter>")
        #expect(fixture.requests.last?.hasPrefix("participant.silence on=true") == true)
        try fixture.press(":admit<enter>")
        #expect(fixture.model.log.messages.last?.text == "admit: WHO is missing")
    }

    @Test func theAnswerIsAMessage() throws {
        var fixture = try Fixture.inCall()
        try fixture.press(":mute<enter>")
        try fixture.answer("audio.mute")
        #expect(fixture.screen().contains { $0.contains("mute: done") })
        try fixture.press(":settings.get name=console.theme<enter>")
        try fixture.answer("settings.get", .object(["value": .string("nord")]))
        #expect(fixture.screen().contains { $0.contains("settings.get name=console.theme: {\"value\":\"nord\"}") })
        try fixture.press(":admit eva<enter>")
        try fixture.refuse("room.admit", "nobody knocks")
        #expect(fixture.screen().contains { $0.contains("admit eva: nobody knocks") })
    }

    @Test(arguments: [
        ("dance", "no command “dance”; :, then tab shows what there is"),
        ("audio.gain 120", "audio.gain takes KEY=VALUE, not “120”"),
        ("theme none", "no theme “none”; there are dark, nord"),
        ("verify", "verify: there is no code to compare yet"), ("zoom now", "nothing stands behind zoom"),
        ("host-nothing", "no command “host-nothing”; :, then tab shows what there is"),
        ("join-selected", "join-selected: leave the call first: q, then l"),
        ("help silence", "silence NAME: silence somebody, in my ears only"),
        ("help verify", "verify: mark the selected person's code as compared and equal"),
        ("status", "in standup with bob, chi, dee"),
    ])
    func whatIsWrongOrAskedForIsAMessage(line: String, message: String) throws {
        var fixture = try Fixture.inCall()
        fixture.model.themes = ["dark", "nord"]
        try fixture.press(":\(line)<enter>")
        #expect(fixture.model.log.messages.contains { $0.text.hasPrefix(message) }, "\(fixture.model.log.messages)")
    }

    @Test func aThemeIsShownAndTakenBack() throws {
        var fixture = try Fixture.inCall()
        fixture.model.themes = ["dark", "nord"]
        try fixture.press(":theme nord<enter>:theme<enter>")
        #expect(fixture.requests.filter { $0.hasPrefix("theme") } == ["theme: nord", "theme: "])
    }

    @Test(arguments: [
        ("mu", "mute ", []), ("adm", "admit ", []), ("sil", "silence", ["silence", "silence-all", "silence-joiners"]),
        ("silence ", "silence ", ["bob", "chi", "dee", "anna maria"]), ("silence an", "silence anna maria", []),
        ("ring ", "ring g", ["gil", "gus"]), ("ring bob,gi", "ring bob,gil", []),
        ("deafen o", "deafen o", ["on", "off"]), ("audio.ga", "audio.gain ", []),
        ("audio.gain ", "audio.gain percent=", []), ("call.hold on=t", "call.hold on=toggle", []),
        ("audio.route route=s", "audio.route route=speaker", []),
        ("participant.silence participant=a", "participant.silence participant=a", []),
        ("participant.silence participant=p", "participant.silence participant=p9", []),
        ("join st", "join standup", []), ("theme n", "theme nord", []), ("help unm", "help unmute", []),
        ("nonsense", "nonsense", []), ("nonsense x", "nonsense x", []), ("leave ", "leave ", []),
    ])
    func tabTypesOnWhatIsCertain(typed: String, line: String, candidates: [String]) throws {
        var fixture = try Fixture.inCall { state in
            var anna = Participant(id: "p9", name: "anna maria")
            anna.link = .connected
            state.calls["c1"]?.people["p9"] = anna
            state.calls["c1"]?.order.append("p9")
            state.calls["c1"]?.waiting = ["gil", "gus"]
            state.recentRooms = [RecentRoom(name: "standup", host: "h", lastJoinedAt: 0, isSaved: true)]
        }
        fixture.model.themes = ["dark", "nord"]
        let completion = CommandCompletion(typed, in: fixture.model)
        #expect(completion.text == line)
        #expect(completion.candidates == candidates)
    }

    @Test func everyVerbAndEveryTypedActionIsOffered() throws {
        let fixture = try Fixture.inCall()
        let all = CommandCompletion("", in: fixture.model).candidates
        for name in Verb.all.map(\.name) + ["theme", "status", "help", "quit", "verify", "zoom", "devices"] {
            #expect(all.contains(name), "\(name)")
        }
        #expect(Set(all).count == all.count)
        #expect(!all.contains("select") && !all.contains("command"))
        #expect(CommandCompletion("audio.", in: fixture.model).candidates.contains("audio.mute"))
    }

    @Test func candidatesStandAboveTheLine() throws {
        var fixture = try Fixture.inCall()
        try fixture.press(":sil<tab>")
        #expect(Array(fixture.screen().suffix(2)) == [" silence  silence-all  silence-joiners", " :silence"])
        try fixture.press("-")
        #expect(fixture.screen().last == " :silence-")
        #expect(!fixture.screen().contains { $0.hasPrefix(" silence  silence-all") })
    }

    @Test func theHistoryIsWalkedByWhatItBeginsWith() throws {
        var fixture = try Fixture.inCall()
        try fixture.press(":mute<enter>:status<enter>:unmute<enter>:<up>")
        #expect(fixture.screen().last == " :unmute")
        try fixture.press("<up><up><up><down>")
        #expect(fixture.screen().last == " :status")
        try fixture.press("<esc>:m<up>")
        #expect(fixture.screen().last == " :mute")
        try fixture.press("<down>")
        #expect(fixture.screen().last == " :m")
    }

    @Test func linesWithSecretsAreForgotten() throws {
        var fixture = try Fixture.attached()
        for line in ["join https://host/r/room#secret", "settings.set name=network.turn-secret value=hush"] {
            try fixture.press(":")
            fixture.paste(line)
            try fixture.press("<enter>")
        }
        #expect(fixture.model.history.lines.isEmpty)
        #expect(!fixture.requests.contains { $0.hasPrefix("remember") })
    }
}
