import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// Whole screens, text and style. `RECORD=1` writes them anew.
struct GoldenScreenTests {
    private static let sizes = [(6, 20), (20, 60), (24, 80), (43, 132)]

    @Test(arguments: sizes)
    func call(rows: Int, columns: Int) throws {
        var fixture = try Fixture.inCall()
        try fixture.press("3")
        try check(fixture, "call", rows, columns)
    }

    @Test(arguments: sizes)
    func callInASCII(rows: Int, columns: Int) throws {
        try check(try Fixture.inCall(), "call-ascii", rows, columns, glyphs: .ascii)
    }

    @Test(arguments: [(6, 20), (3, 30), (10, 40), (20, 60), (24, 80)])
    func smallScreensKeepTheMicrophone(rows: Int, columns: Int) throws {
        try check(try Fixture.inCall { $0.audio.microphone = .muted }, "muted", rows, columns)
    }

    @Test(arguments: sizes)
    func stage(rows: Int, columns: Int) throws {
        try check(try Fixture.withVideo(), "stage", rows, columns)
    }

    @Test(arguments: [(20, 60), (43, 132)])
    func grid(rows: Int, columns: Int) throws {
        var fixture = try Fixture.withVideo { $0.video.shown = .camera }
        try fixture.press("gz")
        try check(fixture, "grid", rows, columns)
    }

    /// All figures of pictures both ways.
    @Test(arguments: [(24, 80), (30, 60), (43, 132), (60, 200)])
    func pictureFigures(rows: Int, columns: Int) throws {
        var fixture = try Fixture.withVideo { $0.video.shown = .camera }
        fixture.send(Fixture.pictureStatistics())
        try fixture.press("3")
        try check(fixture, "pictures", rows, columns)
    }

    @Test(arguments: sizes)
    func preview(rows: Int, columns: Int) throws {
        var fixture = try Fixture.previewing()
        try check(fixture, "preview", rows, columns)
        try fixture.enterCall()
        try fixture.change { $0.calls["c1"]?.people["p3"]?.video = .camera }
        try check(fixture, "preview-call", rows, columns)
    }

    @Test(arguments: sizes)
    func home(rows: Int, columns: Int) throws {
        var fixture = try Fixture.attached { state in
            state.recentRooms = [
                RecentRoom(name: "standup", host: "pi-meet", lastJoinedAt: 0, isSaved: true),
                RecentRoom(name: "lunch", host: "10.0.0.7", lastJoinedAt: 0, isSaved: false),
            ]
            state.waiting["office"] = WaitingState(name: "ann", host: "pi-meet", isConnected: true)
            state.problems = [
                Problem(
                    code: "session.linger", text: "sound stops when you log out", command: "loginctl enable-linger")
            ]
        }
        var levels = LevelsUpdate()
        levels.microphone = -30
        fixture.send(levels)
        try check(fixture, "home", rows, columns)
    }

    @Test(arguments: [(6, 20), (20, 60), (24, 80)])
    func coreLost(rows: Int, columns: Int) throws {
        var fixture = try Fixture.inCall()
        fixture.model.lost("it closed the connection", at: fixture.now)
        try check(fixture, "lost", rows, columns)
    }

    @Test(arguments: [(6, 20), (20, 60), (24, 80)])
    func reconnecting(rows: Int, columns: Int) throws {
        var fixture = try Fixture.inCall { state in
            state.calls["c1"]?.phase = .reconnecting
            state.calls["c1"]?.reconnectAttempt = 3
            state.calls["c1"]?.nextReconnectAt = 1_800_000_754_500
        }
        fixture.send(event: EventUpdate(time: 1_800_000_745_000, kind: .lost, text: "standup is lost"))
        try check(fixture, "reconnecting", rows, columns)
    }

    @Test(arguments: [(6, 20), (20, 60), (24, 80)])
    func someoneRingsInACall(rows: Int, columns: Int) throws {
        try check(try Fixture.inCall { $0.calls["c9"] = Fixture.ringing }, "ringing-in", rows, columns)
    }

    @Test(arguments: [(6, 20), (24, 80)])
    func someoneRingsAtHome(rows: Int, columns: Int) throws {
        try check(try Fixture.attached { $0.calls["c9"] = Fixture.ringing }, "ringing-home", rows, columns)
    }

    @Test(arguments: [(20, 60), (24, 80)])
    func ringingOthers(rows: Int, columns: Int) throws {
        let fixture = try Fixture.inCall { state in
            state.calls["c1"]?.ringing = ["eva": .ringing, "fred": .noAnswer, "gil": .rejected, "hal": .unknown]
        }
        try check(fixture, "ringing-out", rows, columns)
    }

    @Test(arguments: [(6, 20), (24, 80)])
    func severalCalls(rows: Int, columns: Int) throws {
        let fixture = try Fixture.inCall { state in
            for (id, room) in [("c2", "bob"), ("c3", "lunch")] {
                var call = CallState(
                    id: id, room: room, host: "h", role: .guest, phase: .connected, myId: "", myName: "ann")
                call.isHeld = true
                state.calls[id] = call
            }
        }
        try check(fixture, "calls", rows, columns)
    }

    @Test(arguments: [
        ("help", "?"), ("quit", "q"), ("ring", "bbob, eva"), ("invite", "i"), ("devices", "p"), ("messages", "e"),
        ("join", "lstandup"), ("invite-new", "in"), ("kick", "3X"), ("say", "thello everybody"),
        ("settings", "P"),
    ])
    func overlays(name: String, keys: String) throws {
        for (rows, columns) in [(6, 20), (20, 60), (24, 80), (43, 132)] {
            var fixture = try Fixture.hosting()
            fixture.model.size = Size(rows: rows, columns: columns)
            try fixture.press(keys)
            if name == "devices" { try fixture.answer("audio.devices", Fixture.devices) }
            if name == "settings" {
                try fixture.answer("settings.list", Fixture.settings)
                try fixture.press("jjjj<enter>")
            }
            if name == "invite" { try fixture.answer("room.invites", Fixture.invites) }
            try check(fixture, name, rows, columns)
        }
    }

    @Test(arguments: [(6, 20), (20, 60), (24, 80), (43, 132)])
    func chatAndAKnock(rows: Int, columns: Int) throws {
        var fixture = try Fixture.hosting()
        try fixture.chat("good morning")
        try fixture.chat("morning!", from: "p1")
        try fixture.chat("can everybody hear me? my line loses a lot today, so I may have to write instead", from: "p3")
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("eva", role: .listener)] }
        try check(fixture, "chat", rows, columns)
    }

    @Test func theEndOfTheHelpExplainsTheFigures() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("?<end>")
        try check(fixture, "help-end", 24, 80)
    }

    @Test(arguments: [(6, 20), (24, 80), (43, 80), (30, 110), (43, 132)])
    func eightPeople(rows: Int, columns: Int) throws {
        try check(try Fixture.withEight(), "eight", rows, columns)
    }

    @Test(arguments: [(6, 20), (20, 60)])
    func smallHome(rows: Int, columns: Int) throws {
        try check(try Fixture.attached(), "first", rows, columns)
    }

    /// Somebody who has nothing set up, on a box where much is missing, and on one where all is well.
    @Test(arguments: [(6, 20), (20, 60), (24, 80), (43, 132)])
    func theVeryFirstScreen(rows: Int, columns: Int) throws {
        var fixture = try Fixture.attached { state in
            (state.audio.server.isConnected, state.audio.server.name) = (false, "")
            state.audio.server.reason = "no sound server answers"
            (state.audio.input, state.audio.output) = (nil, nil)
            state.audio.microphone = .noMicrophone
        }
        fixture.model.findings = Fixture.findings
        try check(fixture, "first-run", rows, columns)
        fixture = try Fixture.attached()
        fixture.model.findings = Fixture.findings.filter(\.isFine)
        try check(fixture, "first-run-well", rows, columns)
    }

    /// Many people on the widest screens, and few.
    @Test(arguments: [4, 60, 500])
    func theWidestScreen(count: Int) throws {
        var fixture = try Fixture.withMany(count)
        try fixture.press("3")
        try check(fixture, "wide-\(count)", 60, 500)
    }

    @Test func everyStateOfPeople() throws {
        let fixture = try Fixture.inCall { state in
            state.audio.microphone = .muted
            state.audio.warnings = [.speakingWhileMuted]
            state.calls["c1"]?.phase = .reconnecting
            for (id, name, link) in [
                ("p5", "eva", Participant.Link.lost), ("p6", "日本語の長い名前です", .restarting), ("p7", "gil", .failed),
                ("p8", "hal\u{202E}evil\u{1B}[31m", .connecting),
            ] {
                var person = Participant(id: id, name: name)
                person.link = link
                state.calls["c1"]?.people[id] = person
                state.calls["c1"]?.order.append(id)
            }
            state.calls["c1"]?.people["p2"]?.isSilenced = true
            state.calls["c1"]?.people["p3"]?.isRecording = true
            state.calls["c1"]?.people["p4"]?.isHolding = true
        }
        try check(fixture, "people", 30, 110)
    }

    private func check(
        _ fixture: Fixture, _ name: String, _ rows: Int, _ columns: Int, glyphs: Glyphs = .utf8,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let surface = fixture.surface(rows: rows, columns: columns, glyphs: glyphs)
        let text = (surface.lines + ["=== style"] + surface.styleLines).joined(separator: "\n") + "\n"
        try Golden.check(text, "\(name)-\(columns)x\(rows)", sourceLocation: sourceLocation)
    }
}
