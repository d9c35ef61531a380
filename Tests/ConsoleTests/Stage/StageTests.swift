import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

struct StageTests {
    @Test func theStageFollowsWhoeverSpeaksAndShowsSomething() throws {
        var fixture = try Fixture.withVideo()
        #expect(fixture.model.stageIDs == ["p3"])
        fixture.speak("p2")
        #expect(fixture.model.stageIDs == ["p2"])
        // Nobody looks at themselves while they speak, and who shows nothing takes nobody's place.
        fixture.speak("me")
        fixture.speak(nil)
        #expect(fixture.model.stageIDs == ["p2"])
        fixture.speak("p4")
        #expect(fixture.model.stageIDs == ["p2"])
        try fixture.change { $0.calls["c1"]?.people["p2"]?.video = .off }
        #expect(fixture.model.stageIDs == ["p3"])
    }

    @Test func aPinnedPersonStaysWhoeverSpeaks() throws {
        var fixture = try Fixture.withVideo()
        try fixture.press("2f")
        fixture.speak("p3")
        #expect(fixture.model.stageIDs == ["p2"])
        try fixture.change { $0.calls["c1"]?.people["p2"]?.video = .off }
        #expect(fixture.screen().contains { $0.contains("Stage: bob: video off") })
        try fixture.press("f")
        #expect(fixture.model.stageIDs == ["p3"])
        // Who has left is pinned no more.
        try fixture.press("3f")
        try fixture.change { state in
            state.calls["c1"]?.people["p3"] = nil
            state.calls["c1"]?.people["p2"]?.video = .camera
        }
        #expect(fixture.model.stageIDs == ["p2"])
    }

    @Test func anEnlargedStageThatLosesItsPicturesHandsItsRoomToNoOtherPanel() throws {
        var fixture = try Fixture.withVideo()
        try fixture.press("3fz")
        #expect(!fixture.screen().contains { $0.contains("Who loses whom") })
        try fixture.change { $0.calls["c1"]?.people["p3"]?.isHidden = true }
        #expect(fixture.screen().contains { $0.contains("Stage: chi: hidden here") })
        #expect(fixture.screen().contains { $0.contains("Who loses whom") })
        try fixture.change { $0.calls["c1"]?.people["p3"]?.isHidden = nil }
        #expect(!fixture.screen().contains { $0.contains("Who loses whom") })
    }

    @Test func whoIsHiddenHereIsNotOnTheStage() throws {
        var fixture = try Fixture.withVideo()
        try fixture.press("3f")
        try fixture.change { $0.calls["c1"]?.people["p3"]?.isHidden = true }
        #expect(fixture.screen().contains { $0.contains("Stage: chi: hidden here; H looks again") })
        #expect(ConsoleView.stageTiles(fixture.model, size: Size(rows: 43, columns: 132)).isEmpty)
        try fixture.press("f")
        #expect(fixture.model.stageIDs == ["p2"])
    }

    @Test func theGridShowsAllThatShowSomethingAndOneself() throws {
        var fixture = try Fixture.withVideo { state in
            state.video.shown = .camera
            state.video.source = VideoSourceState(name: "default", description: "USB camera")
            state.video.source?.isCamera = true
        }
        try fixture.press("g")
        let tiles = ConsoleView.stageTiles(fixture.model, size: Size(rows: 43, columns: 132))
        #expect(tiles.map(\.id) == ["p2", "p3", "me"])
        #expect(tiles.map(\.isMirrored) == [false, false, true])
        let screen = fixture.screen(rows: 43, columns: 132)
        for name in ["bob", "chi 640×480 25 fps", "you"] {
            // Below the people and beside the others of the grid.
            #expect(screen.dropFirst(7).contains { $0.contains(name) })
        }
        // What one shares is not mirrored: others read it.
        try fixture.change { state in
            state.video.shown = .share
            state.video.source?.isCamera = nil
        }
        #expect(
            ConsoleView.stageTiles(fixture.model, size: Size(rows: 43, columns: 132)).allSatisfy { !$0.isMirrored })
    }

    @Test func theLargeStageTakesTheRoomOfThePanels() throws {
        var fixture = try Fixture.withVideo()
        let small = ConsoleView.stageTiles(fixture.model, size: Size(rows: 43, columns: 132))[0].area.size.rows
        try fixture.press("z")
        let large = ConsoleView.stageTiles(fixture.model, size: Size(rows: 43, columns: 132))[0].area.size.rows
        #expect(large >= small + 8)
        #expect(!fixture.screen(rows: 43, columns: 132).contains { $0.contains("Who loses whom") })
    }

    @Test func withoutAPictureTheKeysSayWhy() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("g")
        #expect(fixture.model.log.messages.last?.text == "g grid: nobody shows a picture")
        #expect(fixture.screen(rows: 30).contains { $0.contains("Stage: nobody shows a picture") })
        #expect(ConsoleView.stageTiles(fixture.model, size: Size(rows: 30, columns: 80)).isEmpty)
    }

    @Test func tilesKeepApartAndWithinTheirRowsAtEverySize() throws {
        var fixture = try Fixture.withEight()
        try fixture.change { state in
            for id in state.calls["c1"]?.order ?? [] { state.calls["c1"]?.people[id]?.video = .camera }
        }
        try fixture.press("g")
        for (rows, columns) in [(6, 20), (10, 20), (24, 80), (30, 110), (43, 132), (60, 40), (200, 500)] {
            let size = Size(rows: rows, columns: columns)
            let tiles = ConsoleView.stageTiles(fixture.model, size: size)
            let surface = fixture.surface(rows: rows, columns: columns)
            var used: Set<Position> = []
            for tile in tiles {
                #expect(tile.area.rows.allSatisfy { row in surface.pictureRows.contains { $0.contains(row) } })
                #expect(tile.captionRow.map { row in !surface.pictureRows.contains { $0.contains(row) } } == true)
                #expect(tile.area.columns.upperBound <= columns)
                for row in tile.area.rows {
                    for column in tile.area.columns {
                        #expect(used.insert(Position(row: row, column: column)).inserted)
                    }
                }
            }
        }
    }

    @Test func aPageOverTheStageCoversItsRows() throws {
        var fixture = try Fixture.withVideo()
        #expect(!fixture.surface().pictureRows.isEmpty)
        try fixture.press("?")
        #expect(fixture.surface().pictureRows.isEmpty)
    }
}

extension Fixture {
    /// In a call in which bob and chi show their cameras and dee has hers off.
    static func withVideo(_ change: (inout CoreState) -> Void = { _ in }) throws -> Fixture {
        var fixture = try inCall { state in
            for (id, shown) in [("p2", VideoShown.camera), ("p3", .camera), ("p4", .off)] {
                state.calls["c1"]?.people[id]?.video = shown
            }
            change(&state)
        }
        var statistics = statistics()
        statistics.people["p3"]?.video = VideoFigures()
        statistics.people["p3"]?.video?.width = 640
        statistics.people["p3"]?.video?.height = 480
        statistics.people["p3"]?.video?.framesPerSecond = 24.6
        fixture.send(statistics)
        return fixture
    }

    /// Figures of chi's pictures and of those that go there.
    static func pictureStatistics() -> StatisticsUpdate {
        var statistics = statistics()
        var received = VideoFigures()
        (received.width, received.height, received.codec) = (640, 480, "vp8")
        (received.framesPerSecondIn, received.framesPerSecond) = (29.8, 24.6)
        (received.bitrateKbps, received.averageQP, received.codecMs) = (412.3, 23.4, 1.24)
        (received.freezeCount, received.freezeSeconds, received.lostCount) = (2, 1.3, 118)
        (received.keyFrames, received.nackCount, received.retransmittedCount, received.pliCount) = (3, 57, 51, 1)
        var sent = received
        (sent.width, sent.height, sent.targetKbps, sent.codec) = (320, 180, 500, "vp9")
        (sent.freezeCount, sent.freezeSeconds, sent.averageQP) = (nil, nil, 101.6)
        (sent.keyFrames, sent.nackCount, sent.pliCount, sent.lostCount) = (4, 0, 2, 0)
        statistics.people["p3"]?.video = received
        statistics.people["p3"]?.videoSent = sent
        return statistics
    }

    mutating func speak(_ id: String?) {
        var levels = Fixture.levels()
        levels.speaking = id
        send(levels)
    }
}
