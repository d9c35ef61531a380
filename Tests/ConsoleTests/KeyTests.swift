import ControlProtocol
import KeyFiles
import Primitives
import Terminal
import Testing

@testable import Console

/// Keys in; model, requests and screen out.
struct KeyTests {
    @Test func theMicrophoneSaysMutingUntilTheCoreConfirms() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("m")
        #expect(fixture.requests == ["audio.mute on=true"])
        #expect(fixture.screen()[1].hasPrefix("█ muting… █"))
        try fixture.answer("audio.mute")
        #expect(fixture.screen()[1].hasPrefix("█ muting… █"), "the answer is not the state")
        try fixture.change { state in
            state.audio.isMuted = true
            state.audio.microphone = .muted
        }
        #expect(fixture.screen()[1].hasPrefix("█ MUTED █"))
    }

    @Test func pressingTwiceAsksForTheOpposite() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("mm")
        #expect(fixture.requests == ["audio.mute on=true", "audio.mute on=false"])
        #expect(fixture.screen()[1].hasPrefix("█ unmuting… █"))
    }

    @Test func aRefusedMuteGoesBackToWhatIs() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("m")
        try fixture.refuse("audio.mute", "the device is gone")
        #expect(fixture.screen()[1].hasPrefix("█ MIC LIVE █"))
        #expect(fixture.screen().contains { $0.contains("the microphone stays as it is: the device is gone") })
    }

    @Test func capsLockNeverUnmutes() throws {
        var fixture = try Fixture.inCall { state in
            state.audio.isMuted = true
            state.audio.microphone = .muted
        }
        try fixture.press("M")
        #expect(fixture.requests == ["audio.close on=true"])
        #expect(fixture.screen()[1].hasPrefix("█ closing… █"))
    }

    @Test(arguments: [
        ("h", "call.hold on=true"), ("d", "audio.deafen on=true"), ("S", "participants.silence on=true"),
        ("s", "participant.silence on=true participant=p2"), ("js", "participant.silence on=true participant=p3"),
        ("3s", "participant.silence on=true participant=p3"), ("+", "participant.volume participant=p2 percent=112"),
        ("<gt>", "audio.volume percent=112"), ("<lt>", "audio.volume percent=89"),
        ("<A-s>", "participants.silence joiners=true"), ("-", "participant.volume participant=p2 percent=89"),
        ("1+", "audio.gain percent=112"),
        ("3y", "participant.verify participant=p3 verified=true"), ("p", "audio.devices"),
        ("bbob, chi<enter>", "room.ring names=[\"bob\",\"chi\"]"), ("llunch<enter>", "call.join what=\"lunch\""),
        ("<C-l>", "redraw"), ("<C-z>", "suspend"), ("jjjjjjkk3kjs", "participant.silence on=true participant=p3"),
        ("<down><up>s", "participant.silence on=true participant=p2"),
    ])
    func keysAskTheCore(keys: String, request: String) throws {
        var fixture = try Fixture.inCall()
        try fixture.press(keys)
        let plain = fixture.requests.map { $0.replacing(/="(p[0-9])"/, with: { "=\($0.1)" }) }
        #expect(plain == [request])
    }

    @Test func aDisabledKeySaysWhy() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("r2y")
        #expect(fixture.requests.isEmpty)
        let screen = fixture.screen(rows: 30)
        #expect(screen.contains { $0.contains("r route: there is one output only") })
        #expect(screen.contains { $0.contains("y verify: there is no code to compare yet") })
    }

    @Test func whileEveryoneIsSilencedOneCannotBeHeardAlone() throws {
        var fixture = try Fixture.inCall { state in
            state.audio.isEveryoneSilenced = true
            for id in ["p2", "p3", "p4"] { state.calls["c1"]?.people[id]?.isSilenced = true }
        }
        try fixture.press("s")
        #expect(fixture.requests.isEmpty)
        #expect(fixture.screen().contains { $0.contains("s silence: everyone is silenced; S hears them again") })
        try fixture.press("S")
        #expect(fixture.requests == ["participants.silence on=false"])
    }

    @Test func theDefaultForJoinersAndTheVolumeOfAllAreOnTheScreenWhereTheyHold() throws {
        var fixture = try Fixture.inCall { state in
            state.audio.silencesJoiners = true
            state.audio.volumePercent = 63
        }
        let screen = fixture.screen(columns: 200)
        #expect(screen[0].contains("out: USB speakerphone 63%") && screen[1].contains("joiners silenced"))
        #expect(screen[22].contains(">/< all 63%") && screen[23].contains("A-s hear joiners"))
        try fixture.press("<A-s>")
        #expect(fixture.requests == ["participants.silence joiners=false"])
        try fixture.change { $0.audio.volumePercent = 0 }
        #expect(fixture.screen()[1].contains("everyone at 0%"))
        try fixture.press("<lt>")
        #expect(fixture.requests.last == "audio.volume percent=0")
    }

    @Test(arguments: [
        ("m", "m mute: there is no call; l joins one, o opens a room"), ("r", "r route: there is no call"),
        ("a", "a answer: nobody rings or knocks"),
    ])
    func aKeyOfAnotherScreenSaysWhyItDoesNothing(key: String, words: String) throws {
        var fixture = try Fixture.attached()
        #expect(!fixture.screen().suffix(2).joined().contains(" \(words.split(separator: ":")[0]) "))
        try fixture.press(key)
        #expect(fixture.requests.isEmpty)
        #expect(fixture.screen().contains { $0.contains(words) })
    }

    @Test func whoRingsIsShownAndAnsweredFromAnyPage() throws {
        for page in ["?", "e", "p"] {
            var fixture = try Fixture.inCall { $0.calls["c9"] = Fixture.ringing }
            try fixture.press(page)
            #expect(fixture.screen().last?.contains("eva rings from lunch") == true)
            try fixture.press("a")
            #expect(fixture.requests.last == "call.answer call=\"c9\"")
        }
    }

    @Test(arguments: ["bbob", "q", "l", "?"])
    func noQuestionCoversTheMicrophoneOnTheSmallestScreen(keys: String) throws {
        var fixture = try Fixture.hosting()
        try fixture.press(keys)
        let isPage = keys == "?"
        #expect(fixture.screen(rows: 6, columns: 20)[1].contains("MIC LIVE") == !isPage)
    }

    @Test func theSelectedDeviceIsAlwaysSeen() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("p")
        try fixture.answer("audio.devices", Fixture.devices)
        for _ in 0..<6 {
            #expect(fixture.screen(rows: 3, columns: 40).contains { $0.hasPrefix(" > ") })
            try fixture.press("j")
        }
    }

    @Test func pagesScrollNoFurtherThanTheirEnd() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("?")
        let first = fixture.screen()
        try fixture.press("k")
        #expect(fixture.screen() == first)
        try fixture.press(String(repeating: "j", count: 500))
        let last = fixture.screen()
        #expect(last.last?.contains("cannot be known") == true)
        try fixture.press("k")
        #expect(fixture.screen() != last)
        try fixture.press("<end>")
        #expect(fixture.screen() == last)
        try fixture.press("<home>")
        #expect(fixture.screen() == first)
    }

    @Test func labelsSayWhatTheKeyWillDo() throws {
        let fixture = try Fixture.inCall { state in
            state.audio.isMuted = true
            state.audio.isDeafened = true
            state.calls["c1"]?.isHeld = true
            state.calls["c1"]?.people["p2"]?.isSilenced = true
            state.audio.route.current = .receiver
        }
        let line = fixture.screen(columns: 120)[22]
        for label in ["m unmute", "r to speaker", "h resume", "s hear bob", "d hear all"] {
            #expect(line.contains(label))
        }
    }

    @Test func volumeStepsReachBothEndsAndStayThere() {
        #expect(ConsoleModel.step(400, louder: true) == 400 && ConsoleModel.step(0, louder: false) == 0)
        #expect(ConsoleModel.step(100, louder: true) == 112 && ConsoleModel.step(112, louder: false) == 100)
        #expect(ConsoleModel.step(105, louder: false) == 100)
    }

    @Test func theSelectionStaysWithThePersonWhenOthersGo() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("3")
        try fixture.change { state in
            state.calls["c1"]?.people["p2"] = nil
            state.calls["c1"]?.order.removeFirst()
        }
        #expect(fixture.model.selection == "p3")
        try fixture.change { state in
            state.calls["c1"]?.people["p3"] = nil
            state.calls["c1"]?.order.removeFirst()
        }
        #expect(fixture.model.selection == "p4")
    }

    @Test func quitInACallAsks() throws {
        for key in ["q", "<C-c>"] {
            var fixture = try Fixture.inCall()
            try fixture.press(key)
            #expect(fixture.requests.isEmpty)
            #expect(fixture.screen().last?.contains("d detach, mic stays live") == true)
            try fixture.press("<esc>")
            #expect(fixture.model.overlay == nil)
        }
    }

    @Test func detachingSaysWhatGoesOn() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("qd")
        try fixture.answer("core.detach")
        let line = "exit: still in standup, microphone live:  hoot · hoot mute · hoot leave"
        #expect(fixture.requests == ["core.detach", line])
    }

    @Test func muteAndDetachWaitsForTheMute() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("qm")
        #expect(fixture.requests == ["audio.mute on=true"])
        try fixture.answer("audio.mute")
        try fixture.answer("core.detach")
        #expect(fixture.requests.last == "exit: still in standup, microphone muted:  hoot · hoot mute · hoot leave")
    }

    @Test func aRefusedMuteKeepsTheConsoleOpen() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("qm")
        try fixture.refuse("audio.mute", "no")
        #expect(!fixture.requests.contains { $0.hasPrefix("exit") })
        #expect(fixture.model.exitPlan == nil)
    }

    @Test func leavingLeavesTheRoomOpenAndClosingIsForHosts() throws {
        var guest = try Fixture.inCall()
        try guest.press("qcl")
        #expect(guest.requests == ["call.leave call=\"c1\""])
        var host = try Fixture.inCall { $0.calls["c1"]?.isServedHere = true }
        try host.press("ql")
        #expect(host.requests == ["call.leave call=\"c1\" keepRoom=true"])
        host = try Fixture.inCall { $0.calls["c1"]?.isServedHere = true }
        try host.press("qc")
        try host.answer("room.close")
        try host.answer("core.detach")
        #expect(host.requests.last == "exit: closed standup for everyone")
    }

    @Test func aCoreThatDoesNotAnswerIsNotWaitedForLongerThanItsTime() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("qd")
        fixture.wait(.milliseconds(1900))
        #expect(fixture.requests == ["core.detach"])
        fixture.wait(.milliseconds(100))
        #expect(fixture.requests.last == "exit: the core did not answer; `hoot status` says what goes on")
    }

    @Test func withoutACallQuitEndsAtOnce() throws {
        var fixture = try Fixture.attached()
        try fixture.press("q")
        try fixture.answer("core.detach")
        #expect(fixture.requests == ["core.detach", "exit: "])
    }

    @Test func aPastedLinkNeverPressesKeysAndItsSecretIsNotShown() throws {
        var fixture = try Fixture.attached()
        fixture.paste("https://pi:7443/r/standup#TOKEN.FINGERPRINT\n")
        #expect(fixture.screen().last?.contains("https://pi:7443/r/standup#********") == true)
        #expect(fixture.screen().joined().contains("TOKEN") == false)
        try fixture.press("<enter>")
        #expect(fixture.requests == ["call.join what=\"https://pi:7443/r/standup#TOKEN.FINGERPRINT\""])
    }

    @Test func theHomeScreenJoinsTheSelectedRoom() throws {
        var fixture = try Fixture.attached { state in
            state.recentRooms = ["standup", "lunch"].map {
                RecentRoom(name: $0, host: "pi", lastJoinedAt: 0, isSaved: false)
            }
        }
        try fixture.press("j<enter>")
        #expect(fixture.requests == ["call.join what=\"lunch\""])
    }

    @Test func aRingingCallIsAnsweredOrRejected() throws {
        for (key, method) in [("a", "call.answer"), ("x", "call.reject")] {
            var fixture = try Fixture.inCall { $0.calls["c9"] = Fixture.ringing }
            #expect(fixture.screen().last?.contains("eva rings from lunch @ h  a answer  x reject") == true)
            try fixture.press(key)
            #expect(fixture.requests == ["\(method) call=\"c9\""])
        }
    }

    @Test func devicesArePickedFromTheCoresList() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("p")
        let device: JSONValue = .object(["name": .string("alsa.usb"), "description": .string("USB speakerphone")])
        try fixture.answer("audio.devices", .object(["inputs": .array([device]), "outputs": .array([device])]))
        #expect(fixture.screen().filter { $0.contains("USB speakerphone") }.count == 2)
        try fixture.press("jjj<enter>")
        #expect(fixture.requests.last == "audio.select output=\"alsa.usb\"")
    }

    @Test func otherCallsAreSwitchedToByAltAndTheirNumber() throws {
        var fixture = try Fixture.inCall { state in
            var call = CallState(
                id: "c2", room: "bob", host: "h", role: .guest, phase: .connected, myId: "", myName: "ann")
            call.isHeld = true
            state.calls["c2"] = call
        }
        #expect(fixture.screen()[0].hasPrefix(" [1 standup]  2 bob held"))
        try fixture.press("<A-2>")
        #expect(fixture.requests == ["call.activate call=\"c2\""])
    }

    @Test func everyKeyOnEveryScreenAtEverySizeDraws() throws {
        let keys = "mMrhsSd+-123jkyigloweap?qxtuX<>"
        for size in [(1, 1), (2, 5), (6, 20), (10, 300), (24, 80), (60, 20)] {
            for key in keys {
                var inCall = try Fixture.inCall()
                try inCall.press(String(key))
                #expect(inCall.screen(rows: size.0, columns: size.1).count == size.0)
                var home = try Fixture.attached()
                try home.press(String(key))
                #expect(home.screen(rows: size.0, columns: size.1).count == size.0)
            }
        }
    }
}
