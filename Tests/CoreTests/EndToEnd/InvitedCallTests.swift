import ControlClient
import ControlProtocol
import Glibc
import Primitives
import TestSupport
import Testing

/// Invites, the lobby and members' time between real cores.
@Suite(.serialized) struct InvitedCallTests {
    /// The first line that a command of `core` prints.
    private func hoot(_ core: SoundingCore, _ words: String...) throws -> String {
        let outcome = try core.program.run(words: words)
        #expect(outcome.status == 0, "hoot \(words): \(outcome.errors)")
        return String(outcome.output.prefix { $0 != "\n" })
    }

    @Test func anInviteForOneStaysUsedOverARestartAndTheRoomsLinkStaysGood() throws {
        let port = try freePort()
        var a = try SoundingCore("a", pulse: nil)
        let (b, c) = (try SoundingCore("b", pulse: nil), try SoundingCore("c", pulse: nil))
        let link = try a.host("room", port: port)
        let once = try hoot(a, "invite", "--once", "--expires", "2h")
        #expect(once != link && once.hasPrefix("http"))
        try b.join(once)
        try #require(try a.waitForPeople(1))
        #expect(try c.refusal(of: once)?.contains("for one person and has been used") == true)
        let revoked = try hoot(a, "invite")
        _ = try hoot(a, "revoke", "3")
        kill(try #require(a.program.corePID), SIGKILL)
        a = try SoundingCore(rising: a)
        #expect(try a.host("room", port: port) == link)
        #expect(try b.wait { $0.state.calls.values.first?.phase == .connected })
        #expect(try a.waitForPeople(1, within: .seconds(20)))
        #expect(try c.refusal(of: once)?.contains("has been used") == true)
        #expect(try c.refusal(of: revoked)?.contains("withdrawn this link") == true)
        try c.join(link)
        #expect(try a.waitForPeople(2))
        let list = try a.program.run("invite", "--list").output
        #expect(list.contains("1\tguest\tthe room's link\n"))
        #expect(list.contains("2\tguest\tfor one person, used by b, ") && list.contains(" left\n"))
        #expect(!list.contains("#") && !list.contains("\n3\t"))
    }

    @Test func whoIsRemovedIsToldWhyAndTheOthersStay() throws {
        let (a, b, c) = (
            try SoundingCore("a", pulse: nil), try SoundingCore("b", pulse: nil), try SoundingCore("c", pulse: nil)
        )
        let link = try a.host("room")
        try b.join(link)
        try c.join(link)
        try #require(try a.waitForPeople(2) && c.waitForPeople(2))
        #expect(try hoot(a, "kick", "b", "--reason", "too loud") == "b is removed")
        #expect(
            try b.wait { $0.events.contains { $0.text == "room: the host removed you from the room: too loud" } })
        #expect(try b.wait { $0.state.calls.isEmpty })
        let end = try #require(try b.program.attach().state().lastEnd, "who attaches later is told")
        #expect(end.room == "room" && end.reason == "the host removed you from the room: too loud" && !end.wasLeft)
        #expect(try hoot(b, "status") != "" && b.program.run("status").output.contains("ended: the host removed you"))
        #expect(try c.wait { $0.events.contains { $0.kind == .memberLeft && $0.text == "b was removed" } })
        #expect(try b.refusal(of: link) == "the host has removed you from this room")
        #expect(try a.waitForPeople(1) && c.waitForPeople(1))
        try b.join(try hoot(a, "invite"))
        #expect(try a.waitForPeople(2) && c.waitForPeople(2))
        let outcome = try b.program.run("kick", "a")
        #expect(outcome.status == 1 && outcome.errors.contains("only a host of room may do that"))
        let other = try b.program.run("invite")
        #expect(other.status == 1 && other.errors.contains("room is not hosted here; its host gives out links"))
    }

    @Test func aRevokedLinkGivesWayAndMayTakeItsPeopleWithIt() throws {
        let (a, b) = (try SoundingCore("a", pulse: nil), try SoundingCore("b", pulse: nil))
        let link = try a.host("room")
        try b.join(link)
        try #require(try a.waitForPeople(1))
        _ = try hoot(a, "revoke", "1", "--remove")
        #expect(try b.wait { $0.state.calls.isEmpty })
        #expect(try a.wait { $0.state.calls.values.first?.links?.first.map { $0 != link } == true })
        let new = try #require(a.state.calls.values.first?.links?.first)
        #expect(try b.refusal(of: link)?.contains("withdrawn this link") == true)
        try b.join(new)
        #expect(try a.waitForPeople(1))
    }

    @Test func aGuestKnocksAndIsLetInOrTurnedAway() throws {
        let (a, b, c) = (
            try SoundingCore("a", pulse: nil, settings: ["room": ["lobby=true"]]),
            try SoundingCore("b", pulse: nil), try SoundingCore("c", pulse: nil)
        )
        let link = try a.host("room")
        let answer = try b.call("call.join", ["what": .string(link), "name": .string("b")])
        #expect(answer["knocking"] == .bool(true))
        #expect(try b.wait { $0.state.calls.values.first?.phase == .knocking })
        #expect(b.people.isEmpty && b.events.contains { $0.kind == .knocking })
        #expect(try a.wait { $0.state.calls.values.first?.knocks?.map(\.name) == ["b"] })
        #expect(a.events.contains { $0.kind == .knock && $0.text == "b knocks: admit or decline" })
        #expect(try hoot(a, "admit", "b") == "b is let in")
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        #expect(a.state.calls.values.first?.knocks == nil)

        try c.join(link)
        try #require(try a.wait { $0.state.calls.values.first?.knocks?.map(\.name) == ["c"] })
        _ = try hoot(a, "decline", "c", "--reason", "not today")
        #expect(
            try c.wait { $0.events.contains { $0.text == "room: the host does not let you in: not today" } })
        try b.call("call.leave")
        try b.join(link)
        #expect(try a.waitForPeople(1) && b.waitForPeople(1), "who was let in need not knock again")
        let outcome = try a.program.run("admit", "nobody")
        #expect(outcome.status == 1 && outcome.errors.contains("nobody called “nobody” knocks at room"))
    }

    @Test func whoseTimeIsNearlyOverIsWarnedAndAHostGivesMore() throws {
        let (a, b, c) = (
            try SoundingCore("a", pulse: nil), try SoundingCore("b", pulse: nil), try SoundingCore("c", pulse: nil)
        )
        _ = try a.host("room")
        try b.join(try hoot(a, "invite", "--expires", "20s"))
        try c.join(try hoot(a, "invite", "--expires", "4s"))
        #expect(try b.wait { $0.events.contains { $0.kind == .expiring } })
        #expect(try hoot(b, "renew") == "asked the hosts for more time")
        #expect(try a.wait { $0.events.contains { $0.kind == .renewalWanted } })
        #expect(try a.wait { $0.people.first { $0.name == "b" }?.wantsTime == true })
        #expect(try hoot(a, "renew", "b", "--expires", "1h") == "b may stay longer")
        #expect(try b.wait { $0.events.contains { $0.text == "you may stay in room for 60 min more" } })
        #expect(try a.wait { $0.people.first { $0.name == "b" }?.wantsTime == nil })
        #expect(
            try c.wait { $0.state.calls.isEmpty && $0.events.contains { $0.text.contains("the link has expired") } })
        #expect(try a.wait { $0.events.contains { $0.text == "c's time is over" } })
        #expect(try a.waitForPeople(1) && b.waitForPeople(1))
        let outcome = try a.program.run("renew")
        #expect(outcome.status == 1 && outcome.errors.contains("your time in room has no end"))
    }

    @Test func aListenerHearsAndIsNotHeardAndIsToldWhy() throws {
        let names = ["a", "b"]
        let pulse = try PrivatePulse(sinks: names.flatMap { ["\($0)_mic", "\($0)_spk"] })
        let tones = ["a": 440.0, "b": 890.0]
        let players = try names.map { name in
            _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
            let tone = ToneMeter.tone(frequencyHz: tones[name] ?? 0, amplitude: 0.2, seconds: 60)
            return try PulsePlayer(pulse, sink: "\(name)_mic", samples: tone)
        }
        let (a, b) = (try SoundingCore("a", pulse: pulse), try SoundingCore("b", pulse: pulse))
        _ = try a.host("room")
        try b.join(try hoot(a, "invite", "--role", "listener"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        #expect(try b.wait { $0.state.audio.microphone == .muted && $0.state.calls.values.first?.role == .listener })
        #expect(a.people.first?.isListener == true && a.people.first?.isMuted == true)
        let outcome = try b.program.run("mute", "off")
        #expect(outcome.status == 1 && outcome.errors.contains("you only listen in room; ask its host for a link"))
        let ears = (
            try PulseRecorder(pulse, source: "a_spk.monitor"), try PulseRecorder(pulse, source: "b_spk.monitor")
        )
        #expect(ears.1.awaitBlock(within: .seconds(20)) { $0.amplitude(atHz: 440) > 0.08 } != nil)
        #expect(ears.0.awaitBlock(within: .seconds(2)) { $0.amplitude(atHz: 890) > 0.01 } == nil)
        withExtendedLifetime(players) {}
    }

    @Test func linksFollowTheAddressesOfTheirHost() throws {
        let network = try NetworkNamespace()
        try network.run(
            """
            ip link add wan type veth peer name away
            ip link set away up
            ip link set wan up
            ip addr add 10.77.0.1/24 dev wan
            """)
        let a = try SoundingCore("a", pulse: nil, network: network)
        let link = try a.host("room", address: "0.0.0.0", port: 7443)
        #expect(link.hasPrefix("https://10.77.0.1:7443/r/room#"))
        try network.run("ip addr del 10.77.0.1/24 dev wan; ip addr add 10.78.0.9/24 dev wan")
        let new = link.replacing("10.77.0.1", with: "10.78.0.9")
        #expect(try a.wait { $0.state.calls.values.first?.links?.first == new }, "\(a.state.calls)")
        #expect(a.state.calls.values.first?.links?.contains(link) == false)
        #expect(try hoot(a, "invite", "--once").hasPrefix("https://10.78.0.9:7443/r/room#"))
    }

    @Test func aRoomIsNotEnteredTwiceByAnotherAddress() throws {
        let (a, b) = (try SoundingCore("a", pulse: nil), try SoundingCore("b", pulse: nil))
        let link = try a.host("room")
        try b.join(link)
        for core in [a, b] {
            let outcome = try core.program.run("join", link.replacing("127.0.0.1", with: "localhost"), "--detach")
            #expect(outcome.status != 0 && outcome.errors.contains("you are in room already"), "\(outcome)")
        }
    }

    @Test func linksNameThePublicAddressOfAProxy() throws {
        let a = try SoundingCore("a", pulse: nil)
        let wrong = try a.program.run("host", "room", "--listen", "127.0.0.1:0", "--public-url", "https://x/rooms")
        #expect(wrong.status == 2 && wrong.errors.contains("https://HOST or https://HOST:PORT, without a path"))
        let outcome = try a.program.run(
            "host", "room", "--listen", "127.0.0.1:0", "--public-url", "https://Meet.Example:443/", "--detach")
        #expect(outcome.output.hasPrefix("https://meet.example/r/room#") && outcome.errors.isEmpty)
        #expect(outcome.output.count { $0 == "\n" } == 1, "no other address, and no certificate to pin")
        #expect(!outcome.output.dropFirst("https://meet.example/".count).contains("."))
        #expect(try hoot(a, "invite", "--role", "host").hasPrefix("https://meet.example/r/room#"))
    }
}
