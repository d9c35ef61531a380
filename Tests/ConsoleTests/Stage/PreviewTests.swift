import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// One's own picture, before a call and in it.
struct PreviewTests {
    private static let size = Size(rows: 24, columns: 80)

    @Test func theKeyShowsItAtHomeAndEndsIt() throws {
        var fixture = try Fixture.previewing()
        #expect(fixture.requests == ["video.preview on=true"])
        let screen = fixture.screen()
        let title = "─ Preview of USB camera 640×480 30 fps, seen by nobody else ─"
        let row = try #require(screen.firstIndex { $0.hasPrefix(title) })
        #expect(screen[row].contains(" A-v ends it "))
        #expect(screen[1].contains("NOT IN A CALL") && screen[1].contains("CAMERA OPEN"))
        #expect(screen.contains { $0.contains("> 1 standup @ h") }, "the rooms are still there")
        #expect(screen.contains { $0.contains("A-v end preview") })
        let tiles = ConsoleView.stageTiles(fixture.model, size: Self.size)
        #expect(tiles.map(\.id) == ["me"] && tiles[0].isMirrored)
        #expect(fixture.surface().pictureRows == [tiles[0].area.rows])
        #expect(tiles[0].area.rows.lowerBound == row + 1 && tiles[0].area.size.rows >= 10)
        try fixture.press("<A-v>")
        try fixture.answer("video.preview", .object(["on": .bool(false)]))
        #expect(fixture.requests.last == "video.preview on=false")
        #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).isEmpty)
        #expect(!fixture.screen().contains { $0.contains("Preview") })
    }

    /// Of a pattern, a file and a terminal the letters are to be read.
    @Test func onlyACameraIsAMirror() throws {
        let fixture = try Fixture.previewing { $0.video.source?.isCamera = nil }
        #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).map(\.isMirrored) == [false])
        #expect(fixture.screen()[1].contains("PICTURE OPEN"))
    }

    @Test func withoutASourceTheKeySaysWhyAndWhatToDo() throws {
        var fixture = try Fixture.attached()
        try fixture.press("<A-v>")
        #expect(fixture.requests.isEmpty)
        let why = "A-v preview: no camera; c chooses a test picture, C a terminal or a file"
        #expect(fixture.model.log.messages.last?.text == why)
        #expect(!fixture.screen().contains { $0.contains("A-v preview") && !$0.contains("no camera") })
        try fixture.press("c")
        try fixture.answer("video.select", .object(["source": .string("pattern")]))
        #expect(fixture.model.log.messages.last?.text == "pattern is chosen; A-v shows it here")
    }

    @Test func whyThereIsNoPictureStandsInItsPlace() throws {
        let changes: [(String, (inout CoreState) -> Void)] = [
            (
                "No preview: it is used by another program",
                { $0.video.source?.reason = "it is used by another program" }
            ),
            ("No preview: the camera is closed; V opens it", { $0.video.isClosed = true }),
            ("No preview: nothing is chosen; c chooses, C shares", { $0.video.source = nil }),
        ]
        for (title, change) in changes {
            var fixture = try Fixture.previewing()
            try fixture.change(change)
            #expect(fixture.screen().contains { $0.hasPrefix("─ \(title) ") }, "\(title)")
            #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).isEmpty)
            try fixture.enterCall()
            let stage = "Stage: " + title.prefix(1).lowercased() + title.dropFirst()
            #expect(fixture.screen().contains { $0.hasPrefix("─ \(stage) ") }, "\(stage)")
        }
        var opening = try Fixture.previewing()
        try opening.change { $0.video.isOpen = nil }
        #expect(opening.screen().contains { $0.hasPrefix("─ Preview of USB camera: it is being opened ") })
        opening.model.hasMeters = false
        #expect(opening.screen().contains { $0.contains("USB camera: no motion; meters = on shows it") })
        #expect(ConsoleView.stageTiles(opening.model, size: Self.size).isEmpty)
    }

    /// A30.2.
    @Test func itGoesIntoACallAndOutOfItAgain() throws {
        var fixture = try Fixture.previewing()
        try fixture.enterCall()
        var screen = fixture.screen(rows: 43, columns: 132)
        #expect(screen.contains { $0.hasPrefix("─ Stage: you 640×480 30 fps, only here ─") })
        #expect(screen[1].contains("video off, CAMERA OPEN"))
        try fixture.change { $0.calls["c1"]?.people["p3"]?.video = .camera }
        #expect(fixture.model.stageIDs == ["p3", "me"])
        screen = fixture.screen(rows: 43, columns: 132)
        #expect(screen.contains { $0.hasPrefix("─ Stage: chi, and you ─") })
        #expect(screen.contains { $0.contains("chi") && $0.contains("you 640×480 30 fps, only here") })
        #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).map(\.isMirrored) == [false, true])
        try fixture.change { state in
            (state.video.isMuted, state.video.shown, state.video.camera) = (false, .camera, .live)
        }
        #expect(!fixture.screen(rows: 43, columns: 132).contains { $0.contains("only here") })
        try fixture.change { state in
            (state.activeCall, state.calls, state.video.shown) = (nil, [:], .off)
            (state.video.isMuted, state.video.camera) = (true, .muted)
        }
        #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).map(\.id) == ["me"])
        #expect(fixture.screen()[1].contains("CAMERA OPEN"))
        #expect(!fixture.requests.contains("video.preview on=false"))
    }

    @Test func ofAPinnedPersonWithoutAPictureOnlyThePreviewIsThere() throws {
        var fixture = try Fixture.previewing()
        try fixture.enterCall()
        try fixture.change { $0.calls["c1"]?.people["p2"]?.video = .camera }
        try fixture.press("2f")
        try fixture.change { $0.calls["c1"]?.people["p2"]?.video = .off }
        #expect(ConsoleView.stageTiles(fixture.model, size: Size(rows: 43, columns: 132)).map(\.id) == ["me"])
        #expect(fixture.screen(rows: 43, columns: 132).contains { $0.hasPrefix("─ Stage: bob: video off, and you ─") })
    }

    /// Another console's preview is no reason to show it here, but the camera is open all the same.
    @Test func anOpenCameraIsSaidToWhomeverDidNotAskForIt() throws {
        var fixture = try Fixture.previewing()
        fixture.model.isPreviewing = false
        #expect(fixture.screen()[1].contains("CAMERA OPEN"))
        #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).isEmpty)
        try fixture.change { state in (state.video.isOpen, state.video.isPreviewing) = (nil, false) }
        #expect(!fixture.screen()[1].contains("OPEN"))
    }

    @Test func aStoppedConsoleLooksAtNothing() throws {
        var fixture = try Fixture.previewing()
        try fixture.press("<C-z>")
        try fixture.answer("video.preview", .object(["on": .bool(false)]))
        fixture.model.returned()
        try fixture.change { _ in }
        #expect(fixture.requests == ["video.preview on=true", "video.preview on=false", "suspend"])
        #expect(!fixture.model.isPreviewing)
        var hasty = try Fixture.attached { $0.video.source = VideoSourceState(name: "pattern", description: "pattern") }
        try hasty.press("<A-v><C-z>")
        #expect(hasty.requests == ["video.preview on=true", "video.preview on=false", "suspend"])
    }

    /// Whatever else gives way, an open camera is told, and that it is live.
    @Test(arguments: [20, 30, 60, 80, 132]) func thatTheCameraIsOpenIsSaidAtEveryWidth(columns: Int) throws {
        var fixture = try Fixture.previewing()
        let words = columns < 32 ? "CAM" : "CAMERA OPEN"
        #expect(fixture.screen(rows: 20, columns: columns)[1].contains(words))
        try fixture.enterCall()
        #expect(fixture.screen(rows: 20, columns: columns)[1].contains(columns < 24 ? "CAM" : "CAMERA OPEN"))
        try fixture.change { state in
            (state.video.camera, state.video.limit, state.video.shown) = (.live, .soundOnly, .camera)
            state.calls["c1"]?.recording = RecordingState(path: "/a.opus", startedAt: 1_800_000_000_000)
        }
        let live = columns < 40 ? "CAM" : "PICTURE LIVE"
        if columns > 20 { #expect(fixture.screen(rows: 20, columns: columns)[1].contains("REC")) }
        #expect(
            fixture.screen(rows: 20, columns: columns)[1].contains(live),
            "\(fixture.screen(rows: 20, columns: columns)[1])")
    }

    @Test func whoIsOnTheStageIsNamedWhereTheOwnPictureIsNotThere() throws {
        var fixture = try Fixture.previewing()
        try fixture.enterCall()
        try fixture.change { state in
            state.calls["c1"]?.people["p2"]?.video = .camera
            state.video.isClosed = true
        }
        let title = fixture.screen(rows: 43, columns: 132).first { $0.hasPrefix("─ Stage") } ?? ""
        #expect(title.hasPrefix("─ Stage: bob") && title.contains("; no preview: the camera is closed"), "\(title)")
    }

    @Test func aLostCoreHasForgottenIt() throws {
        var fixture = try Fixture.previewing()
        fixture.model.lost("gone", at: fixture.now)
        #expect(ConsoleView.stageTiles(fixture.model, size: Self.size).isEmpty)
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        #expect(!fixture.model.isPreviewing)
    }

    @Test(arguments: [(":preview", "on=true"), (":preview off", "on=false"), (":preview toggle", "on=\"toggle\"")])
    func itCanBeTyped(line: String, wish: String) throws {
        var fixture = try Fixture.attached()
        try fixture.press(line + "<enter>")
        #expect(fixture.requests.last == "video.preview \(wish)")
        try fixture.answer("video.preview", .object(["on": .bool(true)]))
        #expect(fixture.model.isPreviewing)
    }

    @Test func itStaysWithinItsRowsAtEverySize() throws {
        let fixture = try Fixture.previewing()
        for (rows, columns) in [(1, 1), (4, 12), (6, 20), (9, 40), (10, 20), (24, 80), (60, 40), (200, 500)] {
            let surface = fixture.surface(rows: rows, columns: columns)
            let tiles = ConsoleView.stageTiles(fixture.model, size: surface.size)
            #expect(surface.pictureRows == tiles.map(\.area.rows), "\(columns)×\(rows)")
            if rows >= 6 { #expect(surface.lines.contains { $0.contains("─ Preview") }, "\(columns)×\(rows)") }
        }
    }
}

extension Fixture {
    /// At home, with the preview of a camera that the key asked for.
    static func previewing(_ change: (inout CoreState) -> Void = { _ in }) throws -> Fixture {
        var source = VideoSourceState(name: "camera:/dev/video0", description: "USB camera")
        (source.isCamera, source.width, source.height, source.frameRate) = (true, 640, 480, 30)
        var fixture = try attached { state in
            state.recentRooms = [RecentRoom(name: "standup", host: "h", lastJoinedAt: 0, isSaved: true)]
            state.video.source = source
            state.video.camera = .muted
            change(&state)
        }
        try fixture.press("<A-v>")
        try fixture.answer("video.preview", .object(["on": .bool(true)]))
        try fixture.change { state in (state.video.isOpen, state.video.isPreviewing) = (true, true) }
        return fixture
    }

    /// Joins the call of the design's picture, where nobody shows anything.
    mutating func enterCall() throws {
        try change { state in
            state.audio.microphone = .live
            state.activeCall = "c1"
            state.calls["c1"] = Fixture.call(startedAt: 1_800_000_000_000)
        }
        send(Fixture.levels())
    }
}
