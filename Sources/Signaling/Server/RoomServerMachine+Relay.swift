internal import Primitives

extension RoomServerMachine {
    mutating func handle(
        _ message: ClientMessage, from id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        switch connections[id]?.phase {
        case .unauthenticated:
            guard case .hello(let hello) = message else {
                counters.refused += 1
                let refusal = Refusal(.notAllowed, "the first message must be hello, not \(message.type)")
                return end(id, with: refusal, at: now, into: &out)
            }
            admit(hello, from: id, at: now, into: &out)
        case .member(let room, let member):
            handle(message, ofMember: member, in: room, from: id, at: now, into: &out)
        case .waiting(let room, let member):
            handle(message, ofWaiter: member, in: room, from: id, at: now, into: &out)
        case .knocking(let room, let member, _):
            handle(message, ofKnocker: member, in: room, from: id, at: now, into: &out)
        case .closing, nil:
            return
        }
    }

    /// A message that breaks the protocol ends a connection that has not been let in; a member is told and stays.
    mutating func refuse(
        _ error: RoomMessageError, from id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        counters.badMessages += 1
        let refusal = Refusal(error)
        switch connections[id]?.phase {
        case .member, .waiting:
            if case .unknownType(let type) = error {
                send(.error(refusal, about: type), to: id, into: &out)
            } else {
                drop(id, with: refusal, as: .misbehaved, at: now, into: &out)
            }
        case .knocking:
            drop(id, with: refusal, as: .misbehaved, at: now, into: &out)
        case .unauthenticated:
            counters.refused += 1
            end(id, with: refusal, at: now, into: &out)
        case .closing, nil:
            return
        }
    }

    func complain(
        _ code: RefusalCode, _ reason: String, about type: String, to id: ConnectionID, into out: inout Outbox<Event>
    ) {
        send(.error(Refusal(code, reason), about: type), to: id, into: &out)
    }

    private mutating func handle(
        _ message: ClientMessage, ofMember member: MemberID, in room: String, from id: ConnectionID,
        at now: MonoTime, into out: inout Outbox<Event>
    ) {
        switch message {
        case .relay(let to, let payload): relay(payload, from: member, to: to, in: room, id, at: now, into: &out)
        case .ring(let invite): ring(invite, from: member, in: room, id, into: &out)
        case .ringCancel(let cancel): forward(cancel, from: member, in: room, into: &out)
        case .host(let decision): decide(decision, by: member, in: room, from: id, at: now, into: &out)
        case .renew(let token): renew(token, of: member, in: room, from: id, at: now, into: &out)
        case .leave(let closes): leave(member, in: room, closing: closes, id, at: now, into: &out)
        case .ping(let number): send(.pong(number: number), to: id, into: &out)
        case .pong(let number): connections[id]?.confirm(ping: number)
        case .hello, .enter, .ringAnswer:
            complain(.notAllowed, "not for someone who is in the call", about: message.type, to: id, into: &out)
        }
    }

    private mutating func handle(
        _ message: ClientMessage, ofWaiter waiter: MemberID, in room: String, from id: ConnectionID,
        at now: MonoTime, into out: inout Outbox<Event>
    ) {
        switch message {
        case .ringAnswer(let reply): forward(reply, from: waiter, in: room, id, at: now, into: &out)
        case .enter: enter(id, at: now, into: &out)
        case .ping(let number): send(.pong(number: number), to: id, into: &out)
        case .pong(let number): connections[id]?.confirm(ping: number)
        case .leave:
            removeWaiter(waiter, from: room, connection: id, into: &out)
            sayGoodbye(id, at: now, into: &out)
        case .hello, .relay, .ring, .ringCancel, .host, .renew:
            complain(.notAllowed, "enter the call first", about: message.type, to: id, into: &out)
        }
    }

    private mutating func handle(
        _ message: ClientMessage, ofKnocker knocker: MemberID, in room: String, from id: ConnectionID,
        at now: MonoTime, into out: inout Outbox<Event>
    ) {
        switch message {
        case .ping(let number): send(.pong(number: number), to: id, into: &out)
        case .pong(let number): connections[id]?.confirm(ping: number)
        case .leave:
            removeKnocker(knocker, from: room, as: .gone, at: now, into: &out)
            sayGoodbye(id, at: now, into: &out)
        case .hello, .enter, .relay, .ring, .ringCancel, .ringAnswer, .host, .renew:
            complain(.notAllowed, "no host has let you in yet", about: message.type, to: id, into: &out)
        }
    }

    private mutating func relay(
        _ payload: PeerMessage, from member: MemberID, to: MemberID?, in room: String, _ id: ConnectionID,
        at now: MonoTime, into out: inout Outbox<Event>
    ) {
        var payload = payload
        if case .status(var status) = payload, let index = rooms[room]?.index(of: member) {
            if rooms[room]?.members[index].stay.role == .listener { status.muted = true }
            rooms[room]?.members[index].publicly.status = status
            payload = .status(status)
        }
        let message = ServerMessage.relay(from: member, payload)
        guard let to else {
            return broadcast(message, in: room, except: member, at: now, into: &out)
        }
        guard to != member, rooms[room]?.index(of: to) != nil else {
            return complain(.unknownMember, "no member \(to) is in the call", about: payload.type, to: id, into: &out)
        }
        deliver(RoomProtocol.encode(message), to: to, in: room, at: now, into: &out)
    }

    private mutating func leave(
        _ member: MemberID, in name: String, closing: Bool, _ id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard let room = rooms[name], let index = room.index(of: member) else { return }
        if closing, room.members[index].stay.role != .host {
            return complain(.notAllowed, "only a host closes the room", about: "leave", to: id, into: &out)
        }
        remove(member, from: name, reason: .left, at: now, into: &out)
        sayGoodbye(id, at: now, into: &out)
        if closing {
            close(room.configuration.name, reason: "the host closed the room", at: now, into: &out)
        }
    }

    private mutating func sayGoodbye(_ id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        connections[id]?.phase = .closing(until: now + limits.closingTime)
        out.emit(.close(id, Refusal(.roomClosed, "goodbye")))
    }
}
