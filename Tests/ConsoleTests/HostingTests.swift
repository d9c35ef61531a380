import ControlProtocol
import Primitives
import Terminal
import Testing

@testable import Console

/// Who comes in, who has to go, who may stay.
struct HostingTests {
    @Test(arguments: [
        ("a", #"room.admit call="c1" participant="k-eva""#), ("x", #"room.decline call="c1" participant="k-eva""#),
    ])
    func whoKnocksIsAdmittedOrDeclined(key: String, request: String) throws {
        var fixture = try Fixture.hosting()
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("eva"), Fixture.knock("fred")] }
        let bar = try #require(fixture.screen().last)
        #expect(bar.contains("eva knocks, 32 s, at standup, and 1 more  a admit  x decline"))
        try fixture.press(key)
        #expect(fixture.requests == [request])
        try fixture.change { $0.calls["c1"]?.knocks?.removeFirst() }
        #expect(fixture.screen().last?.contains("fred knocks, 32 s, at standup  a admit") == true)
    }

    /// Keys go into the prompt, so the way to the answer is said.
    @Test(arguments: ["t", "q", "3X"]) func whoKnocksIsSeenBesideAPrompt(keys: String) throws {
        var fixture = try Fixture.hosting()
        try fixture.press(keys)
        let before = fixture.screen()
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("eva")] }
        let after = fixture.screen()
        #expect(after.last == before.last, "the prompt stays")
        #expect(after.contains { $0.contains("eva knocks, 32 s, at standup: esc, then a admit, x decline") })
        try fixture.press("<esc>a")
        #expect(fixture.requests == [#"room.admit call="c1" participant="k-eva""#])
    }

    @Test func theTimeToAnswerCountsDown() throws {
        var fixture = try Fixture.hosting()
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("eva", role: .listener)] }
        fixture.wait(.seconds(30))
        #expect(fixture.screen().last?.contains("eva knocks, 2 s, at standup as listener") == true)
        let deadline = try #require(fixture.model.deadline)
        #expect(deadline - fixture.now.mono <= .seconds(1))
        fixture.wait(.seconds(60))
        #expect(fixture.screen().last?.contains("eva knocks, 0 s, at") == true)
    }

    @Test func whoRingsIsAnsweredBeforeWhoKnocks() throws {
        var fixture = try Fixture.hosting()
        try fixture.change { state in
            state.calls["c1"]?.knocks = [Fixture.knock("fred")]
            state.calls["c9"] = Fixture.ringing
        }
        try fixture.press("a")
        try fixture.change { $0.calls["c9"] = nil }
        try fixture.press("a")
        #expect(fixture.requests == [#"call.answer call="c9""#, #"room.admit call="c1" participant="k-fred""#])
    }

    @Test func aRefusedAdmissionSaysWhy() throws {
        var fixture = try Fixture.hosting()
        try fixture.change { $0.calls["c1"]?.knocks = [Fixture.knock("eva")] }
        try fixture.press("a")
        try fixture.refuse("room.admit", "room is full")
        #expect(fixture.screen(rows: 40).contains { $0.contains("cannot admit eva: room is full") })
    }

    @Test(arguments: [("y", #"room.kick participant="p3""#), ("<esc>", nil), ("m", nil)])
    func aPersonIsKickedAfterOneQuestion(key: String, request: String?) throws {
        var fixture = try Fixture.hosting()
        try fixture.press("3X")
        #expect(fixture.screen().last?.contains("kick chi out of standup?  y kick  esc let stay") == true)
        try fixture.press(key)
        #expect(fixture.requests == [request].compactMap { $0 })
        #expect(fixture.model.overlay == nil)
    }

    @Test func onlyAHostKicksPeople() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("3X")
        #expect(fixture.model.overlay == nil && fixture.requests.isEmpty)
        #expect(fixture.screen().contains { $0.contains("X kick: only a host kicks people") })
        fixture = try Fixture.hosting()
        try fixture.change { state in
            state.calls["c1"]?.isServedHere = nil
            state.calls["c1"]?.people["p3"]?.serves = true
        }
        try fixture.press("3X")
        #expect(fixture.model.overlay == nil && fixture.requests.isEmpty)
        #expect(fixture.screen().contains { $0.contains("X kick: chi serves the room and stays") })
    }

    @Test func timeIsGivenToWhoAsksForIt() throws {
        var fixture = try Fixture.hosting()
        try fixture.press("3u")
        #expect(fixture.requests.isEmpty)
        #expect(fixture.screen().contains { $0.contains("chi has not asked for more time") })
        try fixture.change { $0.calls["c1"]?.people["p3"]?.wantsTime = true }
        #expect(fixture.screen().contains { $0.contains("chi )))") && $0.contains("wants time") })
        try fixture.press("u")
        #expect(fixture.requests == [#"room.renew expires=3600 participant="p3""#])
    }

    @Test func aGuestAsksForTimeWhereItEnds() throws {
        var fixture = try Fixture.inCall()
        try fixture.press("u")
        #expect(fixture.requests.isEmpty)
        try fixture.change { $0.calls["c1"]?.expiresAt = 1_800_000_781_000 }
        #expect(fixture.screen()[0].contains("your time ends in 00:00:30"))
        try fixture.press("u")
        #expect(fixture.requests == ["room.renew"])
    }

    @Test func aListenerIsSaidToListen() throws {
        let fixture = try Fixture.inCall { $0.calls["c1"]?.people["p2"]?.isListener = true }
        #expect(fixture.screen().contains { $0.contains("bob") && $0.contains("listens") })
    }
}
