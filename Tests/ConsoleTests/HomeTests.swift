import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// The screen without a call.
struct HomeTests {
    @Test func howTheLastCallEndedIsToldToWhoComesLater() throws {
        let end = CallEnd(
            room: "standup", host: "pi-meet", reason: "the host removed you from the room: too loud",
            endedAt: 1_800_000_745_000, wasLeft: false)
        var fixture = try Fixture.attached { $0.lastEnd = end }
        let line = "standup @ pi-meet ended, 08:12:25: the host removed you from the room: too loud"
        #expect(fixture.screen(columns: 100).contains { $0.hasSuffix(line) })
        fixture.wait(.seconds(2 * 86_400))
        #expect(fixture.screen(columns: 100).contains { $0.contains("standup @ pi-meet ended, 2 days ago: the host") })
        try fixture.change { $0.lastEnd?.wasLeft = true }
        #expect(!fixture.screen(columns: 100).contains { $0.contains("ended") }, "who left it knows")
    }

    @Test func whatTheLastCallWasLikeIsToldToWhoLeftIt() throws {
        var end = CallEnd(
            room: "standup", host: "pi-meet", reason: "you left", endedAt: 1_800_000_745_000, wasLeft: true)
        var fixture = try Fixture.attached { $0.lastEnd = end }
        #expect(!fixture.screen(columns: 100).contains { $0.contains("standup") }, "it was never connected")
        (end.duration, end.lossPercent, end.mos) = (751, 0.3, 4.31)
        end.figuresPath = "/state/calls/2027-01-15T080000-standup.csv"
        try fixture.change { $0.lastEnd = end }
        let line = " standup lasted 00:12:31, lost 0.3%, MOS 4.3 est., /state/calls/2027-01-15T080000-standup.csv"
        #expect(fixture.screen(columns: 100).contains(line))
    }

    @Test func whoRangInVainIsNamed() throws {
        let fixture = try Fixture.attached { state in
            state.missed = [
                MissedRing(caller: "eva", room: "lunch", rangAt: 1_800_000_600_000),
                MissedRing(caller: "gil", room: "den", rangAt: 1_800_000_660_000),
            ]
        }
        let screen = fixture.screen()
        #expect(screen.firstIndex { $0.contains("gil rang from den, 08:11:00") } == 3)
        #expect(screen.contains { $0.contains("eva rang from lunch, 08:10:00") })
    }

    @Test func aHeldCallSaysSoAlsoWithoutAMicrophone() throws {
        let fixture = try Fixture.inCall { state in
            state.audio.microphone = .noMicrophone
            state.calls["c1"]?.isHeld = true
        }
        #expect(fixture.screen()[1].hasPrefix("█ NO MIC █  ON HOLD "))
    }

    @Test func whoRingsIsNamedWithTheTimeThatIsLeft() throws {
        var fixture = try Fixture.attached { state in
            state.calls["c9"] = Fixture.ringing
            state.calls["c9"]?.ringsUntil = 1_800_000_751_000 + 32_000
        }
        #expect(fixture.screen().contains { $0.contains("eva rings from lunch @ h, 32 s") })
        fixture.wait(.seconds(5))
        #expect(fixture.screen().contains { $0.contains("eva rings from lunch @ h, 27 s") })
        #expect(fixture.model.deadline != nil, "the seconds run")
    }

    @Test func theMicrophoneIsOpenForItsMeterWhileSomebodyLooks() throws {
        var fixture = try Fixture.attached()
        // The fixture has dropped what was asked while it attached.
        #expect(fixture.model.showsMeter && fixture.meterRequests == ["audio.meter on=true"])
        try fixture.change { state in
            state.activeCall = "c1"
            state.calls["c1"] = Fixture.call(startedAt: 1)
        }
        try fixture.change { state in
            state.activeCall = nil
            state.calls = [:]
        }
        try fixture.press("<C-z>")
        #expect(
            fixture.meterRequests == [
                "audio.meter on=true", "audio.meter on=false", "audio.meter on=true", "audio.meter on=false",
            ])
        fixture.model.returned()
        try fixture.change { _ in }
        #expect(fixture.meterRequests.last == "audio.meter on=true")
    }

    @Test func thatTheMicrophoneIsOpenIsSaid() throws {
        var fixture = try Fixture.attached { $0.audio.isMetering = true }
        var levels = LevelsUpdate()
        levels.microphone = -20
        fixture.send(levels)
        let screen = fixture.screen()
        #expect(screen[1].contains("NOT IN A CALL") && screen[1].contains("open for its level alone, nothing is sent"))
        #expect(screen.contains { $0.contains("microphone  USB microphone") && $0.contains("█") })
        try fixture.press("M")
        #expect(fixture.requests == ["audio.close on=true"])
    }

    @Test func aCoreThatKnowsNoMeterIsNoTrouble() throws {
        var fixture = try Fixture.attached()
        try fixture.refuse("audio.meter", "no method")
        #expect(fixture.model.log.messages.isEmpty)
    }

    @Test func keysThatCannotBeUsedAreNotOfferedAtHome() throws {
        var fixture = try Fixture.attached()
        #expect(
            !fixture.screen().contains {
                $0.contains("close camera") || $0.contains("enter join") || $0.contains("1-9")
            })
        try fixture.press("V")
        #expect(fixture.model.log.messages.last?.text.hasPrefix("V close-camera: no camera; ") == true)
        try fixture.change { state in
            state.video.source = VideoSourceState(name: "camera:usb", description: "USB camera")
            state.recentRooms = [RecentRoom(name: "standup", host: "h", lastJoinedAt: 0, isSaved: true)]
        }
        #expect(fixture.screen(columns: 120).contains { $0.contains("V close camera") })
        #expect(fixture.screen().contains { $0.contains("enter join") })
    }

    @Test func whatIsChosenAndNotShownIsSaid() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("c")
        try fixture.answer("video.select", .object(["source": .string("pattern")]))
        #expect(fixture.model.log.messages.last?.text == "pattern is chosen; v shows it, A-v only here")
        try fixture.change { $0.video.isMuted = false }
        try fixture.press("c")
        try fixture.answer("video.select", .object(["source": .string("none")]))
        #expect(!fixture.model.log.messages.contains { $0.text.contains("no picture") }, "what is shown is seen")
    }

    @Test func theFirstScreenGoesWhenThereIsARoomToGoBackTo() throws {
        var fixture = try Fixture.attached { $0.problems = [Problem(code: "settings", text: "line 3 is no setting")] }
        fixture.model.findings = Fixture.findings
        let screen = fixture.screen()
        #expect(screen.contains { $0.contains("  o  opens a room here") })
        #expect(screen.contains { $0.contains("! sound cards") && $0.contains("may not open /dev/snd") })
        #expect(screen.contains { $0.contains("sudo usermod -aG audio ann") })
        #expect(screen.contains { $0.contains("camera        USB camera") })
        #expect(!screen.contains { $0.contains("/tmp/hoot-1000 ") }, "what is as it should be is not all told")
        try fixture.change { $0.recentRooms = [RecentRoom(name: "den", host: "h", lastJoinedAt: 0, isSaved: true)] }
        #expect(fixture.screen().contains { $0.contains("> 1 den @ h") })
        #expect(!fixture.screen().contains { $0.contains("sound cards") })
        try fixture.change { state in
            state.core.host = "h"
            state.leftOpen = ["den"]
        }
        #expect(fixture.screen().contains { $0.contains("> 1 den @ h, open") })
    }
}
