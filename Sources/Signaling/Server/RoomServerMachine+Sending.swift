internal import Primitives

extension RoomServerMachine {
    func send(_ message: ServerMessage, to id: ConnectionID, into out: inout Outbox<Event>) {
        out.emit(.send(id, RoomProtocol.encode(message)))
    }

    /// Sends to a member, or keeps it while its connection is broken. Who cannot keep up is dropped.
    mutating func deliver(
        _ bytes: [UInt8], to member: MemberID, in room: String, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard let index = rooms[room]?.index(of: member), let target = rooms[room]?.members[index] else { return }
        guard let id = target.connection else {
            keep(bytes, for: index, in: room, at: now, into: &out)
            return
        }
        out.emit(.send(id, bytes))
        noteSent(bytes.count, to: id, at: now, into: &out)
    }

    mutating func broadcast(
        _ message: ServerMessage, in room: String, except sender: MemberID? = nil, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        let bytes = RoomProtocol.encode(message)
        for member in rooms[room]?.members.map(\.publicly.id) ?? [] where member != sender {
            deliver(bytes, to: member, in: room, at: now, into: &out)
        }
    }

    mutating func tellHosts(_ message: ServerMessage, in room: String, at now: MonoTime, into out: inout Outbox<Event>)
    {
        let bytes = RoomProtocol.encode(message)
        for host in rooms[room]?.members.filter({ $0.stay.role == .host }) ?? [] {
            deliver(bytes, to: host.publicly.id, in: room, at: now, into: &out)
        }
    }

    /// Tells the members who can be rung.
    mutating func broadcastWaiting(in room: String, into out: inout Outbox<Event>) {
        guard let names = rooms[room]?.waitingNames else { return }
        for connection in rooms[room]?.members.compactMap(\.connection) ?? [] {
            send(.waiting(names: names), to: connection, into: &out)
        }
    }

    mutating func ping(_ id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard let number = connections[id]?.openPing(at: now, limits: limits) else { return }
        send(.ping(number: number), to: id, into: &out)
    }

    /// Says why, and closes; the connection counts as one outside until it is gone.
    mutating func end(
        _ id: ConnectionID, with refusal: Refusal, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard connections[id] != nil else { return }
        connections[id]?.phase = .closing(until: now + limits.closingTime)
        send(.refused(refusal), to: id, into: &out)
        out.emit(.close(id, refusal))
    }

    /// Ends a connection together with its seat or its place among those who wait.
    mutating func drop(
        _ id: ConnectionID, with refusal: Refusal, as reason: LeaveReason, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        let phase = connections[id]?.phase
        end(id, with: refusal, at: now, into: &out)
        switch phase {
        case .member(let room, let member): remove(member, from: room, reason: reason, at: now, into: &out)
        case .waiting(let room, let member): removeWaiter(member, from: room, connection: id, into: &out)
        case .knocking(let room, let member, _): removeKnocker(member, from: room, as: .gone, at: now, into: &out)
        case .unauthenticated: counters.refused += 1
        case .closing, nil: break
        }
    }

    private mutating func noteSent(
        _ byteCount: Int, to id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard let connection = connections[id], !connection.isLocal else { return }
        connections[id]?.noteSent(byteCount: byteCount)
        let unconfirmed = connection.unconfirmedBytes + byteCount
        if unconfirmed > limits.unconfirmedBytes {
            counters.droppedSlow += 1
            let reason = "\(unconfirmed / 1024) KiB were sent and not read; the link is too slow for this room"
            drop(id, with: Refusal(.tooSlow, reason), as: .tooSlow, at: now, into: &out)
            out.emit(.abort(id))
        } else if unconfirmed > limits.unconfirmedBytes / 4, !connection.hasOpenPing {
            ping(id, at: now, into: &out)
        }
    }

    private mutating func keep(
        _ bytes: [UInt8], for index: Int, in room: String, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard let member = rooms[room]?.members[index] else { return }
        guard member.keptBytes + bytes.count <= limits.awayBytes else {
            remove(member.publicly.id, from: room, reason: .lost, at: now, into: &out)
            return
        }
        rooms[room]?.members[index].kept.append(bytes)
        rooms[room]?.members[index].keptBytes += bytes.count
    }
}
