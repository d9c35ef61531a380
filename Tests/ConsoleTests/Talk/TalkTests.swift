import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// Pushing to talk: what keys ask for, and what the microphone line says.
struct TalkTests {
    private func pushed(reportsReleases: Bool = true, _ change: (inout CoreState) -> Void = { _ in }) throws -> Fixture
    {
        var fixture = try Fixture.inCall { state in
            state.audio.microphone = .muted
            state.audio.isTalking = false
            change(&state)
        }
        fixture.model.reportsReleases = reportsReleases
        return fixture
    }

    private func talks(_ fixture: inout Fixture, _ talks: Bool = true) throws {
        try fixture.change { state in
            state.audio.microphone = talks ? .live : .muted
            state.audio.isTalking = talks
        }
    }

    @Test func itTalksWhileTheKeyIsHeld() throws {
        var fixture = try pushed()
        #expect(fixture.model.wantsReleases)
        #expect(fixture.screen()[1].hasPrefix("█ PUSH TO TALK █"))
        #expect(fixture.screen().contains { $0.contains("space hold to talk") })
        try fixture.press("<space>")
        #expect(fixture.requests == ["audio.talk on=true"])
        #expect(fixture.screen()[1].hasPrefix("█ opening… █"), "until the core confirms")
        try talks(&fixture)
        #expect(fixture.screen()[1].hasPrefix("█ MIC LIVE █"))
        #expect(fixture.screen()[1].contains("talking while space is held"))
        #expect(fixture.screen().contains { $0.contains("space let go to stop") })
        try fixture.letGo("v")
        #expect(fixture.requests.count == 1, "another key")
        try fixture.letGo("<space>")
        #expect(fixture.requests.last == "audio.talk on=false")
        try talks(&fixture, false)
        #expect(fixture.screen()[1].hasPrefix("█ PUSH TO TALK █"))
    }

    /// A page covers no key that is held to talk; where text is typed, blanks are blanks.
    @Test(arguments: ["?", "e", "P", "p", "i", "q", "jX"])
    func itTalksOnAnyPage(keys: String) throws {
        var fixture = try pushed { state in
            state.calls["c1"]?.role = .host
            state.calls["c1"]?.isServedHere = true
            state.calls["c1"]?.links = ["https://pi:7443/r/standup#AAAA"]
        }
        try fixture.press(keys)
        let overlay = try #require(fixture.model.overlay)
        try fixture.press("<space>")
        #expect(fixture.requests.last == "audio.talk on=true" && fixture.model.overlay == overlay)
        try fixture.letGo("<space>")
        #expect(fixture.requests.last == "audio.talk on=false" && fixture.model.overlay == overlay)
    }

    @Test(arguments: ["t", "n", ":", "/"])
    func whereTextIsTypedTheKeyTypes(key: String) throws {
        var fixture = try pushed()
        try fixture.press(key + "a<space>b")
        #expect(fixture.requests.isEmpty && fixture.screen().last?.hasSuffix("a b") == true)
    }

    @Test func aKeyThatRepeatsAsksForALittleLongerEachTime() throws {
        var fixture = try pushed()
        try fixture.press("<space>")
        for _ in 0..<20 {
            fixture.wait(.milliseconds(50))
            try fixture.press("<space>")
        }
        #expect(fixture.requests == ["audio.talk on=true"] + Array(repeating: "audio.talk on=true seconds=3", count: 2))
    }

    /// The release of a key that is held while another window has the focus goes there.
    @Test func withoutTheFocusNoKeyIsHeld() throws {
        var fixture = try pushed()
        try fixture.press("<space>")
        fixture.model.receive(.focus(false), at: fixture.now)
        #expect(fixture.model.takeEffects().map(\.method) == ["audio.talk"])
        #expect(fixture.model.heldTalkKey == nil)
    }

    @Test func aStoppedConsoleTalksNoMore() throws {
        var fixture = try pushed()
        try fixture.press("<space><C-z>")
        #expect(fixture.requests == ["audio.talk on=true", "audio.talk on=false", "suspend"])
    }

    @Test func muteWinsAndAKeyThatIsStillHeldDoesNotComeBack() throws {
        var fixture = try pushed()
        try fixture.press("<space>")
        try talks(&fixture)
        try fixture.press("m")
        try fixture.change { state in
            state.audio.isMuted = true
            state.audio.microphone = .muted
            state.audio.isTalking = false
        }
        #expect(fixture.screen()[1].hasPrefix("█ MUTED █"))
        try fixture.change { $0.audio.isMuted = false }
        fixture.wait(.seconds(1))
        try fixture.press("<space>")
        #expect(fixture.requests == ["audio.talk on=true", "audio.mute on=true"], "a repeat is no press")
        try fixture.letGo("<space>")
        try fixture.press("<space>")
        #expect(fixture.requests.last == "audio.talk on=true")
    }

    @Test func mutedTheKeySaysWhy() throws {
        var fixture = try pushed { $0.audio.isMuted = true }
        try fixture.press("<space>")
        #expect(fixture.requests.isEmpty)
        #expect(fixture.screen(rows: 30).contains { $0.contains("space talk: you are muted; m unmutes") })
    }

    @Test func whatIsRefusedIsSaidOnceAndNotAskedAgain() throws {
        var fixture = try pushed()
        try fixture.press("<space>")
        try fixture.refuse("audio.talk", "the microphone is gone")
        for _ in 0..<3 {
            fixture.wait(.seconds(1))
            try fixture.press("<space>")
        }
        #expect(fixture.requests.count == 1)
        #expect(fixture.screen(rows: 30).contains { $0.contains("nobody hears you: the microphone is gone") })
    }

    @Test func aTerminalThatTellsNoReleaseGetsASwitch() throws {
        var fixture = try pushed(reportsReleases: false)
        #expect(fixture.screen().contains { $0.contains("space talk") })
        try fixture.press("<space>")
        #expect(fixture.requests == ["audio.talk on=\"toggle\""])
        try talks(&fixture)
        #expect(fixture.screen().contains { $0.contains("space stop talking") })
        #expect(fixture.screen()[1].contains("talking: space stops it"))
        // Held: the first repeat ends it, the others do nothing, and that is explained.
        fixture.wait(.milliseconds(500))
        for _ in 0..<10 {
            try fixture.press("<space>")
            fixture.wait(.milliseconds(33))
        }
        #expect(fixture.requests.count == 2)
        #expect(fixture.screen(rows: 30).contains { $0.contains("does not tell when a key is let go") })
    }

    /// Enter's release is never told.
    @Test func aKeyWhoseReleaseIsNotToldIsASwitch() throws {
        var fixture = try pushed()
        #expect(!fixture.model.tellsRelease(of: Key(.enter)) && fixture.model.tellsRelease(of: Key(.function(9))))
        fixture.model.pushToTalk(Key(.enter))
        #expect(fixture.model.heldTalkKey == nil)
    }

    @Test func whereTheMicrophoneIsOpenTheKeySaysHowToHaveItPushed() throws {
        var fixture = try Fixture.inCall()
        #expect(!fixture.model.wantsReleases)
        try fixture.press("<space>")
        #expect(fixture.requests.isEmpty)
        #expect(fixture.screen(rows: 30).contains { $0.contains("talk = push") })
    }

    @Test(arguments: [
        ("<space>", "<space>", true), ("t", "T", true), ("<F9>", "<F9>", true), ("t", "v", false), ("+", "=", true),
    ])
    func aKeyIsLetGoWhateverBecameOfItsModifiers(held: String, released: String, ends: Bool) throws {
        var fixture = try pushed()
        let key = try #require(Key.sequence(held)?.first)
        fixture.model.pushToTalk(key)
        try fixture.letGo(released)
        #expect((fixture.model.heldTalkKey == nil) == ends)
    }
}

extension ConsoleEffect {
    fileprivate var method: String? {
        if case .request(let request) = self { request.method } else { nil }
    }
}
