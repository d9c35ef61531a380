import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// `console.meters = off`: nothing moves by itself.
struct StillScreenTests {
    private func still(_ change: (inout CoreState) -> Void = { _ in }) throws -> Fixture {
        var fixture = try Fixture.inCall(change)
        fixture.model.hasMeters = false
        return fixture
    }

    @Test func levelsAndFiguresChangeNothing() throws {
        var fixture = try still()
        let before = fixture.surface(rows: 43, columns: 132)
        for step in 0..<50 {
            var levels = Fixture.levels()
            levels.microphone = -60 + step
            levels.people = ["p2": -step, "p3": -18 - step, "p4": -step / 2]
            fixture.now.mono = fixture.now.mono + .milliseconds(100)
            fixture.send(levels)
            var statistics = Fixture.statistics()
            statistics.people["p3"]?.received?.lossPercent = Double(step)
            statistics.people["p2"]?.roundTripMs = Double(step)
            fixture.send(statistics)
        }
        #expect(fixture.surface(rows: 43, columns: 132) == before)
        #expect(fixture.model.rows == ["me", "p2", "p3", "p4"], "who speaks moves nobody")
    }

    @Test func whoSpeaksIsMarkedWhenThatChanges() throws {
        var fixture = try still()
        #expect(fixture.screen().contains { $0.contains("chi )))") })
        var levels = Fixture.levels()
        levels.speaking = "p2"
        fixture.send(levels)
        #expect(fixture.screen().contains { $0.contains("bob )))") })
        levels.speaking = nil
        levels.lastSpeaker = "p2"
        for seconds in 1...3 {
            levels.lastSpokeSeconds = seconds
            fixture.send(levels)
            #expect(fixture.screen().contains { $0.contains(" quiet; last: bob ─") }, "seconds would move")
        }
    }

    @Test func picturesAreNotShown() throws {
        var fixture = try still { $0.calls["c1"]?.people["p3"]?.video = .camera }
        #expect(ConsoleView.stageTiles(fixture.model, size: Size(rows: 40, columns: 120)).isEmpty)
        #expect(fixture.screen(rows: 40).contains { $0.contains("Stage: no motion; meters = on shows pictures") })
        fixture.model.hasMeters = true
        #expect(ConsoleView.stageTiles(fixture.model, size: Size(rows: 40, columns: 120)).count == 1)
    }

    @Test func whomTheMicrophoneReachesIsTrueAtOnce() throws {
        var fixture = try still()
        var statistics = Fixture.statistics()
        statistics.reached = 1
        fixture.send(statistics)
        #expect(fixture.screen()[1].contains("reaches 1/3"))
    }

    @Test func figuresComeNowAndThen() throws {
        var fixture = try still()
        var statistics = Fixture.statistics()
        statistics.people["p2"]?.roundTripMs = 99
        fixture.wait(.seconds(31))
        fixture.send(statistics)
        #expect(fixture.screen().contains { $0.contains("99 ms") })
    }

    @Test func theCursorStandsOnTheSelectedRow() throws {
        var fixture = try still()
        #expect(try Fixture.inCall().surface().cursor == nil)
        for key in ["2", "j", "k", "p"] {
            try fixture.press(key)
            if key == "p" { try fixture.answer("audio.devices", Fixture.devices) }
            let surface = fixture.surface()
            let cursor = try #require(surface.cursor)
            #expect(surface.lines[cursor.row].contains(">"), "after \(key): \(surface.lines[cursor.row])")
        }
        try fixture.press("<esc>:mu")
        #expect(fixture.surface().cursor == Position(row: 23, column: 4), "where text is typed")
    }

    @Test func theHomeScreenOpensNoMicrophoneForALevel() throws {
        var fixture = Fixture()
        fixture.model.hasMeters = false
        fixture.model.attached(mismatch: nil, pulseServer: nil, at: fixture.now)
        try fixture.send(CoreState())
        #expect(fixture.meterRequests.isEmpty)
    }
}
