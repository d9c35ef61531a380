internal import Primitives

extension RoomServerMachine {
    /// Hands an invite to everyone of its name who waits, and tells the caller what became of it.
    func ring(
        _ invite: RingInvite, from member: MemberID, in name: String, _ id: ConnectionID,
        into out: inout Outbox<Event>
    ) {
        guard let room = rooms[name], let index = room.index(of: member) else { return }
        let incoming = IncomingInvite(
            call: invite.call, from: member, name: room.members[index].publicly.name, interval: invite.interval)
        let called = room.waiters.filter { $0.hello.name == invite.name }
        for waiter in called {
            send(.ring(incoming), to: waiter.connection, into: &out)
        }
        let isInCall = room.members.contains { $0.publicly.name == invite.name && $0.publicly.id != member }
        let state: RingReport.State = !called.isEmpty ? .ringing : isInCall ? .inCall : .absent
        send(.ringState(RingReport(call: invite.call, name: invite.name, state: state)), to: id, into: &out)
    }

    func forward(_ cancel: RingCancel, from member: MemberID, in name: String, into out: inout Outbox<Event>) {
        let incoming = IncomingCancel(call: cancel.call, from: member)
        for waiter in rooms[name]?.waiters ?? [] where waiter.hello.name == cancel.name {
            send(.ringCancel(incoming), to: waiter.connection, into: &out)
        }
    }

    mutating func forward(
        _ reply: RingReply, from waiter: MemberID, in name: String, _ id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard let room = rooms[name], let who = room.waiters.first(where: { $0.id == waiter }) else { return }
        guard room.index(of: reply.to) != nil else {
            return complain(.unknownMember, "the caller has left", about: "ringAnswer", to: id, into: &out)
        }
        // Whom a host rang need not knock.
        if reply.answer == .accepted, isHost(reply.to, in: name) { letIn(waiter, to: name, into: &out) }
        let incoming = IncomingReply(call: reply.call, name: who.hello.name, answer: reply.answer)
        deliver(RoomProtocol.encode(ServerMessage.ringAnswer(incoming)), to: reply.to, in: name, at: now, into: &out)
    }
}
