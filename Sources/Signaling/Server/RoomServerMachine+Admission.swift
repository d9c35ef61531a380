internal import Primitives

extension RoomServerMachine {
    /// Decides on a `hello`. Whether the room or the token was wrong is told to nobody.
    mutating func admit(_ hello: Hello, from id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard hello.version == RoomProtocol.version else {
            let reason = "this room speaks version \(RoomProtocol.version), not \(hello.version); use the same version"
            return turnAway(id, Refusal(.version, reason), at: now, into: &out)
        }
        guard let room = rooms[hello.room], let role = grant(hello, in: room, to: id) else {
            let reason = "no such room, or the link's token is wrong or has expired; ask for a new link"
            return turnAway(id, Refusal(.notAdmitted, reason), at: now, into: &out)
        }
        let member = MemberID(identity: hello.identity)
        switch hello.intent {
        case .join: join(hello, as: member, role: role, from: id, at: now, into: &out)
        case .wait: wait(hello, as: member, role: role, from: id, at: now, into: &out)
        }
    }

    /// Someone who waited comes into the call.
    mutating func enter(_ id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard case .waiting(let name, let member) = connections[id]?.phase,
            let waiter = rooms[name]?.waiters.first(where: { $0.id == member })
        else {
            return complain(.notAllowed, "only who waits can enter", about: "enter", to: id, into: &out)
        }
        guard hasSeat(for: member, in: name) else {
            return complain(.roomFull, "the room is full", about: "enter", to: id, into: &out)
        }
        removeWaiter(member, from: name, connection: id, into: &out)
        join(waiter.hello, as: member, role: waiter.role, from: id, at: now, into: &out)
    }

    /// A member whose connection broke keeps its seat for a while.
    mutating func setAway(_ member: MemberID, in room: String, connection id: ConnectionID, at now: MonoTime) {
        guard let index = rooms[room]?.index(of: member), rooms[room]?.members[index].connection == id else { return }
        rooms[room]?.members[index].connection = nil
        rooms[room]?.members[index].awayUntil = now + limits.awayTime
    }

    /// Takes a member off the roster and tells the others; its connection is the caller's business.
    mutating func remove(
        _ member: MemberID, from room: String, reason: LeaveReason, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard let index = rooms[room]?.index(of: member) else { return }
        rooms[room]?.members.remove(at: index)
        broadcast(.left(id: member, reason: reason), in: room, at: now, into: &out)
    }

    mutating func removeWaiter(
        _ member: MemberID, from room: String, connection id: ConnectionID, into out: inout Outbox<Event>
    ) {
        let index = rooms[room]?.waiters.firstIndex { $0.id == member && $0.connection == id }
        guard let index else { return }
        rooms[room]?.waiters.remove(at: index)
        broadcastWaiting(in: room, into: &out)
    }

    /// The local member is the host of its own room; anyone else is what the token says.
    private func grant(_ hello: Hello, in room: ServerRoom, to id: ConnectionID) -> RoomRole? {
        connections[id]?.isLocal == true ? .host : room.configuration.admits(hello.token)
    }

    private mutating func turnAway(
        _ id: ConnectionID, _ refusal: Refusal, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        counters.refused += 1
        end(id, with: refusal, at: now, into: &out)
    }

    private func hasSeat(for member: MemberID, in name: String) -> Bool {
        guard let room = rooms[name] else { return false }
        return room.index(of: member) != nil || room.members.count < room.configuration.seats
    }

    private mutating func join(
        _ hello: Hello, as member: MemberID, role: RoomRole, from id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard hasSeat(for: member, in: hello.room) else {
            let seats = rooms[hello.room]?.configuration.seats ?? 0
            let reason = "room is full: it holds \(seats) people; try again when someone has left"
            return turnAway(id, Refusal(.roomFull, reason), at: now, into: &out)
        }
        counters.admitted += 1
        connections[id]?.phase = .member(room: hello.room, id: member)
        let kept = release(member, in: hello.room, for: hello.session, to: id, at: now, into: &out)
        if let kept {
            welcome(id, as: member, in: hello.room, resumed: true, into: &out)
            for bytes in kept { deliver(bytes, to: member, in: hello.room, at: now, into: &out) }
        } else {
            let publicly = RoomMember(
                id: member, session: hello.session, name: hello.name, role: role, capabilities: hello.capabilities)
            let new = ServerRoom.Member(publicly: publicly, identity: hello.identity, connection: id)
            rooms[hello.room]?.members.append(new)
            welcome(id, as: member, in: hello.room, resumed: false, into: &out)
            broadcast(.joined(publicly), in: hello.room, except: member, at: now, into: &out)
        }
    }

    /// Deals with the seat that this identity already has: the same session takes it over and is given what was kept
    /// for it; another session replaces it, and `nil` is the answer.
    private mutating func release(
        _ member: MemberID, in room: String, for session: String, to id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) -> [[UInt8]]? {
        guard let index = rooms[room]?.index(of: member), let old = rooms[room]?.members[index] else { return nil }
        if let connection = old.connection {
            let reason = "you came into this room by another connection, which replaces this one"
            end(connection, with: Refusal(.replaced, reason), at: now, into: &out)
        }
        guard old.publicly.session == session else {
            remove(member, from: room, reason: .replaced, at: now, into: &out)
            return nil
        }
        rooms[room]?.members[index].connection = id
        rooms[room]?.members[index].awayUntil = nil
        rooms[room]?.members[index].kept = []
        rooms[room]?.members[index].keptBytes = 0
        return old.kept
    }

    private mutating func wait(
        _ hello: Hello, as member: MemberID, role: RoomRole, from id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        if let old = rooms[hello.room]?.waiters.first(where: { $0.id == member }) {
            let reason = "you wait in this room by another connection, which replaces this one"
            end(old.connection, with: Refusal(.replaced, reason), at: now, into: &out)
            removeWaiter(member, from: hello.room, connection: old.connection, into: &out)
        }
        guard let count = rooms[hello.room]?.waiters.count, count < limits.waiters else {
            let reason = "\(limits.waiters) people wait in this room already; try again later"
            return turnAway(id, Refusal(.roomFull, reason), at: now, into: &out)
        }
        counters.admitted += 1
        connections[id]?.phase = .waiting(room: hello.room, id: member)
        rooms[hello.room]?.waiters.append(
            ServerRoom.Waiter(hello: hello, id: member, role: role, connection: id))
        welcome(id, as: member, in: hello.room, resumed: false, into: &out)
        broadcastWaiting(in: hello.room, into: &out)
    }

    private func welcome(
        _ id: ConnectionID, as member: MemberID, in name: String, resumed: Bool, into out: inout Outbox<Event>
    ) {
        guard let room = rooms[name] else { return }
        let index = room.index(of: member)
        let role = index.map { room.members[$0].publicly.role } ?? .guest
        let welcome = Welcome(
            id: member, server: instance, room: name, role: role, resumed: resumed,
            members: index == nil ? [] : room.others(than: member).map(\.publicly),
            waiting: index == nil ? [] : room.waitingNames, iceServers: room.configuration.iceServers,
            limits: Welcome.Limits(
                seats: room.configuration.seats, messageBytes: RoomProtocol.messageByteLimit,
                descriptionBytes: RoomProtocol.descriptionByteLimit, pingSeconds: limits.pingInterval.seconds))
        send(.welcome(welcome), to: id, into: &out)
    }
}

extension MemberID {
    /// The id that everyone may know of who keeps this secret: 64 bits of a hash, which tells nothing of the secret.
    init(identity: String) {
        let digest = SHA256.digest(of: [UInt8]("hoot room member ".utf8) + [UInt8](identity.utf8))
        self.init(Base64URL.encode([UInt8](digest.prefix(9))))
    }
}
