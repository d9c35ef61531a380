import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Three cores in one room, judged by what is heard.
@Suite(.serialized) struct HeardRoomTests {
    @Test func everyoneHearsTheOthersMixedAndNotThemselves() throws {
        let room = try ToneRoom()
        for (name, others) in ["a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b"]] as [String: Set<String>] {
            #expect(try room.ear(name).hears(only: others), "\(name)")
        }
        try room["a"].call("audio.mute", ["on": .bool(true)])
        #expect(try room.ear("c").hears(only: ["b"]))
        #expect(try room.ear("b").hears(only: ["c"]))
    }

    /// A22.2, A23.1: everybody, and with them who comes later, who is lifted one by one.
    @Test func silencingEverybodyHoldsForThoseWhoComeLater() throws {
        let room = try ToneRoom()
        let ear = try room.ear("c")
        try #require(ear.hears(only: ["a", "b"]))
        try room["c"].call("participants.silence", ["on": .bool(true), "joiners": .bool(true)])
        #expect(ear.hears(only: []))
        try room["a"].call("call.leave")
        try #require(try room["c"].waitForPeople(1))
        try room["a"].join(room.link)
        try #require(try room["c"].waitForPeople(2))
        #expect(try room.ear("b").hears(only: ["a", "c"]), "the others hear who came back")
        #expect(try room["c"].wait { $0.levels.people.values.count { $0 > -40 } == 2 }, "the meters go on")
        #expect(try room.ear("c").listen(seconds: 0.5).peak < 0.002)
        try room["c"].call("participants.silence", ["on": .bool(false), "joiners": .bool(false)])
        #expect(ear.hears(only: ["b"]), "who came while joiners were silenced stays so")
        try room["c"].call("participant.silence", ["participant": .string("a"), "on": .bool(false)])
        #expect(ear.hears(only: ["a", "b"]))
    }

    /// DESIGN 8: a dead host takes only its own voice away.
    @Test func theHostsDeathInterruptsNobodyElse() throws {
        let room = try ToneRoom()
        let ear = try room.ear("b")
        try #require(ear.hears(only: ["a", "c"]))
        try room.kill("c")
        let heard = ear.listen(seconds: 6)
        #expect(heard.longestSilence() < 480, "no gap of 10 ms in six seconds")
        #expect(ear.hears(only: ["a"]))
        #expect(try room["b"].wait { core in core.people.contains { $0.name == "a" && $0.link == .connected } })
    }

    @Test func aPeersDeathTakesOnlyItsOwnVoiceAway() throws {
        let room = try ToneRoom()
        let ear = try room.ear("c")
        try #require(ear.hears(only: ["a", "b"]))
        try room.kill("a")
        #expect(ear.hears(only: ["b"]))
        let again = try SoundingCore(rising: try room["a"])
        try again.join(room.link)
        #expect(ear.hears(only: ["a", "b"]), "it is heard again before the dead one is given up")
        #expect(try room["c"].waitForPeople(2))
    }
}
