import Primitives
import Testing

@testable import Signaling

@Suite struct RoomLobbyTests {
    func bench(withHost: Bool = true, limits: RoomLimits = RoomLimits(), seats: Int = 8) -> RoomBench {
        var bench = RoomBench(limits: limits, seats: seats, hasLobby: true)
        if withHost { bench.add("host", token: RoomBench.hostToken) }
        bench.forgetEvents()
        return bench
    }

    func end(_ name: String, in bench: RoomBench) -> RefusalCode? {
        if case .closed(.refused(let refusal)) = bench.events(of: name).last { refusal.code } else { nil }
    }

    func isInside(_ name: String, in bench: RoomBench) -> Bool {
        bench.clients[name]?.machine.isInside == true
    }

    func knock(_ name: String, _ role: RoomRole = .guest, seconds: Double = 45) -> RoomEvent {
        .knock(Knock(id: RoomBench.id(name), name: name, role: role, seconds: seconds))
    }

    @Test func aGuestKnocksAndTheHostLetsItIn() {
        var bench = bench()
        bench.add("ann")
        #expect(bench.events(of: "ann") == [.knocking(seconds: 45)])
        #expect(bench.events(of: "host") == [knock("ann")])
        bench.decide("host", .admit(RoomBench.id("ann")))
        guard case .welcome(let welcome) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(welcome.members.map(\.name) == ["host"])
        #expect(bench.events(of: "host").dropFirst().first == .knockOver(RoomBench.id("ann"), .admitted))
        guard case .memberJoined = bench.events(of: "host").last else { return #expect(Bool(false)) }
    }

    @Test func whoKnocksIsToldNothingOfTheRoom() throws {
        var bench = bench()
        bench.add("ann")
        bench.decide("host", .admit(RoomBench.id("ann")))
        let connected = bench.connect()
        let id = try #require(connected)
        let answer = bench.say(.hello(RoomBench.hello("bob")), from: id)
        #expect(answer == [.lobby(room: RoomBench.room, seconds: 45)])
        bench.serverEvents = []
        bench.run("ann") { $0.send(.status(MemberStatus(muted: true)), to: nil, into: &$2) }
        bench.add("chi", intent: .wait)
        bench.run("ann") { $0.leave(into: &$2) }
        #expect(!bench.serverEvents.contains { if case .send(id, _) = $0 { true } else { false } })
        for message in [
            ClientMessage.relay(to: RoomBench.id("host"), .candidate(PeerCandidate(candidate: "c"))),
            .relay(to: nil, .status(MemberStatus(muted: true))), .enter, .host(.admit(RoomBench.id("bob"))),
            .ring(RingInvite(call: RingID("c"), name: "chi", interval: 5)), .renew(token: nil),
        ] {
            guard case .error(let refusal, message.type) = bench.say(message, from: id).last else {
                return #expect(Bool(false))
            }
            #expect(refusal.code == .notAllowed)
        }
        #expect(bench.server.members(of: RoomBench.name).map(\.name) == ["host"])
    }

    @Test func whoIsDeclinedIsToldWhy() {
        var bench = bench()
        bench.add("ann")
        bench.decide("host", .decline(RoomBench.id("ann"), reason: "later, please"))
        guard case .closed(.refused(let refusal)) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .declined && refusal.reason == "the host does not let you in: later, please")
        #expect(bench.events(of: "host").last == .knockOver(RoomBench.id("ann"), .declined))
    }

    @Test func nobodyKnocksForLongerThanTheAnswerInterval() {
        var bench = bench()
        bench.add("ann")
        bench.pass(.milliseconds(44_900))
        #expect(end("ann", in: bench) == nil)
        bench.pass(.milliseconds(200))
        #expect(end("ann", in: bench) == .noAnswer)
        #expect(bench.events(of: "host").last == .knockOver(RoomBench.id("ann"), .unanswered))
    }

    @Test func whoGivesUpKnocksNoMore() {
        var bench = bench()
        bench.add("ann")
        bench.add("bob")
        bench.run("ann") { $0.leave(into: &$2) }
        #expect(bench.events(of: "host").last == .knockOver(RoomBench.id("ann"), .gone))
        bench.clients["bob"]?.isOnline = false
        bench.cut("bob")
        #expect(bench.events(of: "host").last == .knockOver(RoomBench.id("bob"), .gone))
        bench.decide("host", .admit(RoomBench.id("bob")))
        guard case .complaint(let refusal, "admit") = bench.events(of: "host").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .unknownMember)
    }

    @Test func hostsComeInFreelyAndLearnWhoKnocksAlready() {
        var bench = bench(withHost: false)
        bench.add("ann", token: RoomBench.listenerToken)
        bench.pass(.seconds(5))
        bench.add("host", token: RoomBench.hostToken)
        #expect(isInside("host", in: bench))
        #expect(bench.events(of: "host").last == knock("ann", .listener, seconds: 40))
    }

    @Test func whoWasLetInNeedNotKnockAgainUntilRemoved() {
        var bench = bench()
        bench.add("ann")
        bench.decide("host", .admit(RoomBench.id("ann")))
        bench.run("ann") { $0.leave(into: &$2) }
        bench.add("ann", session: "another")
        #expect(isInside("ann", in: bench))
        bench.restartServer(hasLobby: true)
        bench.pass(.seconds(2))
        #expect(isInside("ann", in: bench), "nor after the server was started anew")
        bench.decide("host", .kick(RoomBench.id("ann"), reason: nil))
        bench.add("ann", token: bench.issue(.guest))
        #expect(bench.events(of: "ann") == [.knocking(seconds: 45)])
    }

    @Test func aBrokenConnectionDoesNotMakeAMemberKnock() {
        var bench = bench()
        bench.add("ann")
        bench.decide("host", .admit(RoomBench.id("ann")))
        bench.cut("ann")
        bench.pass(.seconds(2))
        #expect(isInside("ann", in: bench))
    }

    @Test func knockersAreFewAndOneKnocksOnce() {
        var bench = bench()
        for number in 0..<16 { bench.add("p\(number)") }
        bench.add("late")
        #expect(end("late", in: bench) == .roomFull)
        bench.add("p3", session: "another")
        #expect(bench.events(of: "p3") == [.knocking(seconds: 45)], "it takes the place of its earlier knock")
        bench.run("p5") { $0.leave(into: &$2) }
        bench.add("late")
        #expect(bench.events(of: "late") == [.knocking(seconds: 45)])
    }

    @Test func whatHappenedMeanwhileCounts() {
        var bench = bench(seats: 2)
        let token = bench.issue(.guest, isSingleUse: true)
        bench.add("ann", token: token)
        bench.add("bob", token: token)
        bench.decide("host", .admit(RoomBench.id("ann")))
        bench.decide("host", .admit(RoomBench.id("bob")))
        #expect(end("bob", in: bench) == .used)
        bench.add("chi")
        bench.decide("host", .admit(RoomBench.id("chi")))
        #expect(end("chi", in: bench) == .roomFull)
        bench.add("dee")
        bench.revoke(1)
        bench.decide("host", .admit(RoomBench.id("dee")))
        #expect(end("dee", in: bench) == .revoked)
    }

    @Test func whomAHostRangComesInAndWhoEntersByItselfKnocks() {
        var bench = bench()
        bench.add("ann", intent: .wait)
        bench.add("bob", intent: .wait)
        bench.run("host") { $0.ring(["ann"], call: RingID("c1"), at: $1, into: &$2) }
        bench.run("ann") { machine, _, out in _ = machine.answer(RingID("c1"), .accepted, into: &out) }
        bench.run("ann") { $0.enter(into: &$2) }
        #expect(isInside("ann", in: bench))
        bench.run("bob") { $0.enter(into: &$2) }
        #expect(bench.events(of: "bob").last == .knocking(seconds: 45))
        #expect(bench.server.members(of: RoomBench.name).count == 2)
    }

    @Test func aRoomThatClosesTellsWhoKnocks() {
        var bench = bench()
        bench.add("ann")
        bench.run("host") { $0.leave(closing: true, into: &$2) }
        #expect(bench.events(of: "ann").last == .closed(.roomClosed("the host closed the room")))
    }

    @Test func whatIsNoMessageEndsAKnock() throws {
        var bench = bench()
        let connected = bench.connect()
        let id = try #require(connected)
        bench.say(.hello(RoomBench.hello("ann")), from: id)
        guard case .refused(let refusal) = bench.say("{", from: id).last else { return #expect(Bool(false)) }
        #expect(refusal.code == .malformed)
        #expect(bench.events(of: "host").last == .knockOver(RoomBench.id("ann"), .gone))
    }
}
