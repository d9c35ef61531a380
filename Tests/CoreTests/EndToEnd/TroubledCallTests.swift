import ControlProtocol
import Glibc
import Primitives
import TestSupport
import Testing

/// Calls that lose a peer, their host, or never had any sound.
@Suite(.serialized) struct TroubledCallTests {
    @Test func withoutAnySoundACallIsACall() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        try b.join(try a.host("room"))
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        #expect(try a.wait { $0.state.audio.microphone == .noMicrophone })
        #expect(a.state.problems.contains { $0.code == "audio.server" && $0.command != nil })
    }

    @Test(arguments: [["a_spk"], ["a_mic"]]) func aMissingMicrophoneOrSpeakerIsAState(sinks: [String]) throws {
        let pulse = try PrivatePulse(sinks: sinks)
        let hasMicrophone = sinks == ["a_mic"]
        if hasMicrophone { _ = try pulse.loadMicrophone("a_microphone", of: "a_mic") }
        let a = try SoundingCore("a", pulse: pulse)
        let b = try SoundingCore("b", pulse: nil)
        try b.join(try a.host("room"))
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        #expect(try a.wait { $0.state.audio.microphone == (hasMicrophone ? .live : .noMicrophone) })
    }

    @Test func whoIsRefusedIsToldWhy() throws {
        let a = try SoundingCore("a", pulse: nil, settings: ["network": ["people=2"]])
        let b = try SoundingCore("b", pulse: nil)
        let link = try a.host("room")
        let wrongToken = link.replacing("#", with: "#AAAA")
        let wrongRoom = link.replacing("/r/room#", with: "/r/other#")
        for wrong in [wrongToken, wrongRoom] {
            // The same words: a room is no more known than its token.
            #expect(
                try b.refusal(of: wrong) == "no such room, or the link's token is wrong; ask for a new link", "\(wrong)"
            )
        }
        #expect(try b.wait { $0.state.calls.isEmpty })
        try b.join(link)
        #expect(try b.waitForPeople(1))
        let c = try SoundingCore("c", pulse: nil)
        #expect(try c.refusal(of: link) == "room is full: it holds 2 people; try again when someone has left")
        #expect(try c.program.run("join", link).errors.contains("room is full: it holds 2 people"))
        #expect(try c.wait { $0.state.calls.isEmpty })
    }

    /// DESIGN 8: lost after 4 s, gone after 20.
    @Test func aKilledPeerIsLostThenGoneAndTheOthersStay() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        let c = try SoundingCore("c", pulse: nil)
        let link = try a.host("room")
        try b.join(link)
        try c.join(link)
        try #require(try a.waitForPeople(2) && c.waitForPeople(2))
        // The last word came up to a second before the end.
        let start = MonoTime.now()
        kill(try #require(b.program.corePID), SIGKILL)
        #expect(try a.wait { $0.people.contains { $0.name == "b" && $0.link != .connected } })
        let lost = (MonoTime.now() - start).seconds
        #expect((3.0...5).contains(lost), "\(lost) s")
        #expect(try a.wait(within: .seconds(25)) { !$0.people.contains { $0.name == "b" } })
        let gone = (MonoTime.now() - start).seconds
        #expect((19.0...22).contains(gone), "\(gone) s")
        #expect(try a.waitForPeople(1) && c.wait { !$0.people.contains { $0.name == "b" } })
        #expect(c.people.allSatisfy { $0.link == .connected })
    }

    @Test func aKilledHostLeavesTheMeshAliveAndIsFoundAgain() throws {
        let port = try freePort()
        let host = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        let c = try SoundingCore("c", pulse: nil)
        let link = try host.host("room", port: port)
        try b.join(link)
        try c.join(link)
        try #require(try b.waitForPeople(2) && c.waitForPeople(2))
        let source = try ssrc(b, of: "c")
        kill(try #require(host.program.corePID), SIGKILL)
        #expect(try b.wait { $0.state.calls.values.first?.phase == .reconnecting })
        #expect(try b.wait { $0.people.first { $0.name == "a" }?.link != .connected })
        #expect(b.people.first { $0.name == "c" }?.link == .connected)
        let again = try SoundingCore(rising: host)
        #expect(try again.host("room", port: port) == link, "the link holds")
        #expect(try b.wait { $0.state.calls.values.first?.phase == .connected })
        #expect(try b.waitForPeople(2, within: .seconds(20)) && c.waitForPeople(2, within: .seconds(20)))
        #expect(try again.waitForPeople(2, within: .seconds(20)))
        let outage = b.events.map(\.kind).filter { [.interrupted, .lost, .rejoined].contains($0) }
        #expect(outage.first == .interrupted && outage.last == .rejoined && b.state.calls.values.first?.outage == nil)
        #expect(try ssrc(b, of: "c") == source, "the connection between the others was never dropped")
    }

    @Test func aHostWhoLeftAnOpenRoomComesBackAsItsHost() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        let link = try a.host("room")
        try b.join(link)
        try #require(try b.waitForPeople(1))
        try a.call("call.leave", ["keepRoom": .bool(true)])
        #expect(try b.wait { $0.people.isEmpty && $0.state.calls.values.first?.phase == .connected })
        let answer = try a.call("room.host", ["room": .string("room"), "name": .string("a")])
        #expect(answer["links"] == .array([.string(link)]))
        #expect(answer["note"]?.stringValue?.contains("still open") == true)
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        try a.call("call.leave", ["keepRoom": .bool(true)])
        #expect(try a.program.run("status").output.contains("open here without you: room;"))
        // The room's name alone leads its host back, too, and not a guest.
        #expect(try a.program.run("join", "room").output == "joined room\n")
        #expect(try a.wait { $0.state.calls.values.map(\.isServedHere) == [true] && $0.state.leftOpen == nil })
        try a.call("room.close")
        #expect(try b.wait { $0.state.calls.isEmpty })
    }

    @Test func aRoomThatWasLeftOpenIsClosedFromOutside() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        for room in ["one", "two"] {
            try b.join(try a.host(room))
            try a.call("call.leave", ["keepRoom": .bool(true)])
        }
        #expect(try a.wait { $0.state.leftOpen == ["one", "two"] })
        let unclear = try a.program.run("leave", "--close")
        #expect(unclear.status == 1 && unclear.errors.contains("one, two are open here"), "\(unclear)")
        let unknown = try a.program.run("ctl", "room.close", "room=three")
        #expect(unknown.errors.contains("no room “three” is open here"), "\(unknown)")
        #expect(try a.program.run("ctl", "room.close", "room=one").status == 0)
        #expect(try b.wait { $0.state.calls.values.map(\.room) == ["two"] })
        #expect(try a.program.run("leave", "--close").output == "two is closed for everyone\n")
        #expect(try b.wait { $0.state.calls.isEmpty })
        #expect(try a.wait { $0.state.leftOpen == nil })
    }

    @Test func aRoomThatAnotherHostHasClosedIsOpenedAnew() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        _ = try a.host("room")
        guard case .array(let links) = try a.call("room.invite", ["role": .string("host")])["links"] else {
            return #expect(Bool(false), "no links")
        }
        try b.join(try #require(links.first?.stringValue))
        try #require(try a.waitForPeople(1))
        try a.call("call.leave", ["keepRoom": .bool(true)])
        try #require(try b.wait { $0.people.isEmpty })
        try b.call("room.close")
        try #require(try b.wait { $0.state.calls.isEmpty })
        #expect(try a.wait { $0.state.leftOpen == nil }, "it is told as it happens")
        let answer = try a.call(
            "room.host", ["room": .string("room"), "name": .string("a"), "listen": .string("127.0.0.1:0")])
        #expect(answer["note"]?.stringValue?.contains("still open") == false)
    }

    /// Q2–Q5: the words are the same as the methods.
    @Test func whoIsRungByTheVerbsAnswersAndIsHeard() throws {
        let pulse = try PrivatePulse()
        let players = try [("a", TonePair.hzOfA), ("b", TonePair.hzOfB)].map { name, hz in
            _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
            return try PulsePlayer(pulse, sink: "\(name)_mic", samples: TonePair.tone(hz))
        }
        let a = try SoundingCore("a", pulse: pulse)
        let b = try SoundingCore("b", pulse: pulse)
        let link = try a.host("room")
        #expect(try b.program.run("wait", link, "--name", "bea").output == "waiting in room as bea\n")
        try #require(try b.wait { $0.state.waiting["room"]?.isConnected == true })
        #expect(try a.program.run("ring", "bea").output == "ringing bea\n")
        try #require(try b.wait { $0.state.calls.values.contains { $0.phase == .ringing && $0.caller == "a" } })
        let (earA, earB) = (try Ear(pulse, at: "a"), try Ear(pulse, at: "b"))
        #expect(earA.fallsSilent(), "nothing is heard of who has not answered")
        try b.call("call.answer")
        #expect(earA.hears(TonePair.hzOfB) && earB.hears(TonePair.hzOfA))
        withExtendedLifetime(players) {}
    }

    @Test func whoWaitsIsRungAndAnswers() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        try b.call("room.wait", ["room": .string(try a.host("room")), "name": .string("bea")])
        try #require(try b.wait { $0.state.waiting["room"]?.isConnected == true })
        try a.call("room.ring", ["names": .string("bea")])
        #expect(try b.wait { $0.state.calls.values.contains { $0.phase == .ringing && $0.caller == "a" } })
        try b.call("call.answer")
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        #expect(a.people.first?.name == "bea")
        try b.call("call.leave")
        #expect(
            try b.wait { $0.state.waiting["room"]?.isConnected == true && $0.state.calls.isEmpty }, "it waits again")
        try a.call("room.ring", ["names": .string("bea")])
        try #require(try b.wait { $0.state.calls.values.contains { $0.phase == .ringing } })
        #expect((b.state.calls.values.first?.ringsUntil ?? 0) > 0)
        try b.call("call.reject")
        #expect(try a.wait { $0.events.contains { $0.kind == .ringRejected } })
        #expect(try b.wait { $0.events.last { $0.kind == .callEnded }?.text == "room: you rejected it" })
        #expect(b.state.missed == nil, "whoever rejects has not missed it")
    }

    @Test func whoDoesNotAnswerIsReportedInOrder() throws {
        let a = try SoundingCore("a", pulse: nil, settings: ["call": ["answer-interval=10", "dialing-interval=3"]])
        let b = try SoundingCore("b", pulse: nil)
        try b.call("room.wait", ["room": .string(try a.host("room")), "name": .string("bea")])
        try #require(try b.wait { $0.state.waiting["room"]?.isConnected == true })
        try a.call("room.ring", ["names": .string("bea")])
        #expect(try a.wait(within: .seconds(14)) { $0.events.contains { $0.kind == .connectionClosed } })
        let kinds = a.events.map(\.kind).filter { [.userDidNotRespond, .connectionClosed].contains($0) }
        #expect(kinds == [.userDidNotRespond, .connectionClosed])
        #expect(try b.wait { $0.state.calls.isEmpty })
        #expect(b.events.count { $0.kind == .callRinging } == 1, "repeats are one call")
        #expect(try b.wait { $0.state.missed?.map(\.caller) == ["a"] && $0.state.missed?.first?.room == "room" })
        #expect(try b.program.run("status").output.contains("a rang from room, "))
        // The last console has shown it.
        try b.call("core.subscribe", ["console": .bool(false)])
        #expect(try b.wait { $0.state.missed == nil })
    }

    private func ssrc(_ core: SoundingCore, of name: String) throws -> Int {
        let answer = try core.call("stats.get", ["participant": .string(name)])
        guard case .object(let people)? = answer["participants"], let peer = people.values.first,
            case .array(let streams)? = peer["outbound-rtp"]
        else { return -1 }
        return streams.first?["ssrc"]?.integerValue ?? -1
    }
}
