import Primitives
import Testing

@testable import Signaling

/// Invites as a served room keeps them.
@Suite struct RoomInviteTests {
    func bench(hasLobby: Bool = false) -> RoomBench {
        var bench = RoomBench(hasLobby: hasLobby)
        bench.add("host", token: RoomBench.hostToken)
        return bench
    }

    func end(_ name: String, in bench: RoomBench) -> RefusalCode? {
        if case .closed(.refused(let refusal)) = bench.events(of: name).last { refusal.code } else { nil }
    }

    func isInside(_ name: String, in bench: RoomBench) -> Bool {
        bench.clients[name]?.machine.isInside == true
    }

    @Test func anInviteForOneIsConsumedByASeatAndRefusedToTheNext() {
        var bench = bench()
        let token = bench.issue(.guest, isSingleUse: true)
        bench.add("ann", token: token)
        #expect(isInside("ann", in: bench))
        bench.add("bob", token: token)
        #expect(end("bob", in: bench) == .used)
        bench.run("ann") { $0.leave(into: &$2) }
        bench.add("ann", token: token, session: "another")
        #expect(isInside("ann", in: bench), "the same person may come back by it")
        #expect(bench.server.invites(of: RoomBench.name)?.record.invites.last?.usedBy == RoomBench.id("ann"))
    }

    @Test func aFullRoomDoesNotConsumeAnInvite() {
        var bench = RoomBench(seats: 1)
        bench.add("host", token: RoomBench.hostToken)
        let token = bench.issue(.guest, isSingleUse: true)
        bench.add("ann", token: token)
        #expect(end("ann", in: bench) == .roomFull)
        #expect(bench.server.invites(of: RoomBench.name)?.record.invites.last?.usedBy == nil)
    }

    @Test func usesOutliveTheServer() {
        var bench = bench()
        let token = bench.issue(.guest, isSingleUse: true)
        bench.add("ann", token: token)
        bench.restartServer()
        bench.pass(.seconds(2))
        #expect(isInside("ann", in: bench))
        bench.add("bob", token: token)
        #expect(end("bob", in: bench) == .used)
    }

    @Test func aWithdrawnInviteLetsNobodyInAndWhoIsInsideStays() {
        var bench = bench()
        let token = bench.issue(.guest)
        bench.add("ann", token: token)
        bench.revoke(4)
        bench.add("bob", token: token)
        #expect(end("bob", in: bench) == .revoked)
        bench.cut("ann")
        bench.pass(.seconds(1))
        #expect(isInside("ann", in: bench), "a broken connection does not cost the seat")
        bench.run("ann") { $0.leave(into: &$2) }
        bench.add("ann", token: token)
        #expect(end("ann", in: bench) == .revoked)
    }

    @Test func aWithdrawnInviteMayTakeItsPeopleWithIt() {
        var bench = bench()
        let token = bench.issue(.guest)
        bench.add("ann", token: token)
        bench.add("bob", intent: .wait, token: token)
        bench.add("chi")
        bench.forgetEvents()
        bench.revoke(4, removing: true)
        #expect(end("ann", in: bench) == .revoked && end("bob", in: bench) == .revoked)
        #expect(bench.events(of: "chi").contains(.memberLeft(RoomBench.id("ann"), .removed)))
        #expect(isInside("chi", in: bench) && isInside("host", in: bench))
    }

    @Test func whoIsRemovedIsToldWhyAndMayNotComeBackByTheSameInvite() {
        var bench = bench()
        let other = bench.issue(.guest)
        bench.add("ann")
        bench.add("bob")
        bench.forgetEvents()
        bench.decide("host", .kick(RoomBench.id("ann"), reason: "too loud"))
        guard case .closed(.refused(let refusal)) = bench.events(of: "ann").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .removed && refusal.reason == "the host removed you from the room: too loud")
        #expect(bench.events(of: "bob") == [.memberLeft(RoomBench.id("ann"), .removed)])
        bench.add("ann")
        #expect(end("ann", in: bench) == .removed)
        bench.add("ann", token: other)
        #expect(isInside("ann", in: bench), "one invite is barred, not the person from every room")
        bench.add("chi")
        #expect(isInside("chi", in: bench), "and it is barred to one person")
    }

    @Test func whoIsAwayCanBeRemoved() {
        var bench = bench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.decide("host", .kick(RoomBench.id("ann"), reason: nil))
        #expect(bench.server.members(of: RoomBench.name).map(\.name) == ["host"])
        bench.clients["ann"]?.isOnline = true
        bench.pass(.seconds(5))
        #expect(end("ann", in: bench) == .removed)
    }

    @Test(arguments: [
        HostMessage.kick(RoomBench.id("host"), reason: nil), .admit(RoomBench.id("host")),
        .decline(RoomBench.id("host"), reason: nil), .extend(RoomBench.id("host"), seconds: nil),
    ])
    func onlyAHostDecides(_ decision: HostMessage) {
        var bench = bench()
        bench.add("ann")
        bench.decide("ann", decision)
        guard case .complaint(let refusal, decision.type) = bench.events(of: "ann").last else {
            return #expect(Bool(false))
        }
        #expect(refusal.code == .notAllowed)
        #expect(isInside("host", in: bench))
    }

    @Test func whoServesTheRoomCannotBeRemoved() throws {
        var bench = bench()
        let connected = bench.connect(isLocal: true)
        let id = try #require(connected)
        let hello = RoomBench.hello("owner", token: "")
        guard case .welcome(let welcome) = bench.say(.hello(hello), from: id).first else { return #expect(Bool(false)) }
        #expect(welcome.role == .host && welcome.expiresIn == nil)
        guard case .memberJoined(let member) = bench.events(of: "host").last else { return #expect(Bool(false)) }
        #expect(member.serves == true && welcome.members.map(\.serves) == [nil], "other hosts can be removed")
        bench.decide("host", .kick(RoomBench.id("owner"), reason: nil))
        guard case .complaint(let refusal, "kick") = bench.events(of: "host").last else { return #expect(Bool(false)) }
        #expect(refusal.code == .notAllowed)
        bench.decide("host", .kick(RoomBench.id("nobody"), reason: nil))
        guard case .complaint(let other, "kick") = bench.events(of: "host").last else { return #expect(Bool(false)) }
        #expect(other.code == .unknownMember)
    }

    @Test func aListenerIsKnownAsOneAndAlwaysMuted() {
        var bench = bench()
        bench.add("ann", token: RoomBench.listenerToken)
        guard case .memberJoined(let ann) = bench.events(of: "host").last else { return #expect(Bool(false)) }
        #expect(ann.role == .listener && ann.status.muted)
        bench.run("ann") { $0.send(.status(MemberStatus(muted: false, held: true)), to: nil, into: &$2) }
        #expect(
            bench.events(of: "host").last
                == .message(from: RoomBench.id("ann"), .status(MemberStatus(muted: true, held: true))))
        bench.add("bob")
        #expect(bench.clients["bob"]?.machine.members.last?.status.muted == true)
    }

    @Test func whoComesBackAsSomethingElseIsSomebodyElse() {
        var bench = bench()
        bench.add("ann")
        bench.forgetEvents()
        bench.add("ann", token: RoomBench.listenerToken)
        let events = bench.events(of: "host")
        #expect(events.first == .memberLeft(RoomBench.id("ann"), .replaced))
        guard case .memberJoined(let ann) = events.last else { return #expect(Bool(false)) }
        #expect(ann.role == .listener)
    }

    @Test func everyChangeIsHandedOutToBeKept() {
        var bench = bench()
        bench.serverEvents = []
        let token = bench.issue(.guest, isSingleUse: true)
        bench.add("ann", token: token)
        bench.decide("host", .kick(RoomBench.id("ann"), reason: nil))
        bench.revoke(4)
        let records = bench.serverEvents.compactMap {
            if case .invitesChanged(_, let record) = $0 { record } else { nil }
        }
        #expect(records.count == 4)
        #expect(records[1].invites.last?.usedBy == RoomBench.id("ann"))
        #expect(records[2].invites.last?.barred == [RoomBench.id("ann")])
        #expect(records[3].invites.count == 3)
    }
}
