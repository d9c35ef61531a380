internal import Primitives

extension RoomServerMachine {
    /// Decides on a `hello`. Whether the room or the token was wrong is told to nobody; who holds a genuine token is
    /// told what has become of it.
    mutating func admit(_ hello: Hello, from id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard hello.version == RoomProtocol.version else {
            let reason = "this room speaks version \(RoomProtocol.version), not \(hello.version); use the same version"
            return turnAway(id, Refusal(.version, reason), at: now, into: &out)
        }
        let person = MemberID(identity: hello.identity)
        switch rooms[hello.room].flatMap({ decide(hello, of: person, in: $0, from: id, at: now) }) {
        case nil:
            let reason = "no such room, or the link's token is wrong; ask for a new link"
            turnAway(id, Refusal(.notAdmitted, reason), at: now, into: &out)
        case .failure(let denial):
            turnAway(id, denial.refusal, at: now, into: &out)
        case .success(let stay):
            let applicant = ServerRoom.Applicant(hello: hello, id: person, stay: stay, connection: id)
            switch hello.intent {
            case .join: knockOrJoin(applicant, at: now, into: &out)
            case .wait: wait(applicant, at: now, into: &out)
            }
        }
    }

    /// Someone who waited comes into the call.
    mutating func enter(_ id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard case .waiting(let name, let person) = connections[id]?.phase,
            let waiter = rooms[name]?.waiters.first(where: { $0.id == person })
        else {
            return complain(.notAllowed, "only who waits can enter", about: "enter", to: id, into: &out)
        }
        guard hasSeat(for: person, in: name) else {
            return complain(.roomFull, "the room is full", about: "enter", to: id, into: &out)
        }
        removeWaiter(person, from: name, connection: id, into: &out)
        readmit(waiter, at: now, into: &out) { $0.knockOrJoin($1, at: now, into: &$2) }
    }

    /// Decides anew on someone who applied a while ago, and goes on with `body` if it may still come in.
    mutating func readmit(
        _ applicant: ServerRoom.Applicant, at now: MonoTime, into out: inout Outbox<Event>,
        _ body: (inout RoomServerMachine, ServerRoom.Applicant, inout Outbox<Event>) -> Void
    ) {
        let (hello, id) = (applicant.hello, applicant.connection)
        let decision = rooms[hello.room].flatMap { decide(hello, of: applicant.id, in: $0, from: id, at: now) }
        switch decision ?? .failure(.revoked) {
        case .failure(let denial): turnAway(id, denial.refusal, at: now, into: &out)
        case .success: body(&self, applicant, &out)
        }
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

    mutating func turnAway(
        _ id: ConnectionID, _ refusal: Refusal, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        counters.refused += 1
        end(id, with: refusal, at: now, into: &out)
    }

    mutating func join(_ applicant: ServerRoom.Applicant, at now: MonoTime, into out: inout Outbox<Event>) {
        let (hello, member, id) = (applicant.hello, applicant.id, applicant.connection)
        guard hasSeat(for: member, in: hello.room) else {
            let seats = rooms[hello.room]?.configuration.seats ?? 0
            let reason = "room is full: it holds \(seats) people; try again when someone has left"
            return turnAway(id, Refusal(.roomFull, reason), at: now, into: &out)
        }
        counters.admitted += 1
        connections[id]?.phase = .member(room: hello.room, id: member)
        noteUse(of: applicant.stay, by: member, called: hello.name, in: hello.room, into: &out)
        if let kept = release(applicant, at: now, into: &out) {
            welcome(id, as: member, in: hello.room, resumed: true, at: now, into: &out)
            for bytes in kept { deliver(bytes, to: member, in: hello.room, at: now, into: &out) }
        } else {
            let publicly = RoomMember(
                id: member, session: hello.session, name: hello.name, role: applicant.stay.role,
                status: MemberStatus(muted: applicant.stay.role == .listener), capabilities: hello.capabilities,
                serves: applicant.stay.invite == nil ? true : nil)
            let new = ServerRoom.Member(publicly: publicly, stay: applicant.stay, connection: id)
            rooms[hello.room]?.members.append(new)
            welcome(id, as: member, in: hello.room, resumed: false, at: now, into: &out)
            broadcast(.joined(publicly), in: hello.room, except: member, at: now, into: &out)
        }
        if applicant.stay.role == .host { tellOfKnockers(member, in: hello.room, at: now, into: &out) }
    }

    /// The local member is the host of its own room; anyone else is what the token says. `nil`: nothing must be told.
    /// Who has a seat may come back to it although its link was withdrawn meanwhile.
    private func decide(
        _ hello: Hello, of person: MemberID, in room: ServerRoom, from id: ConnectionID, at now: MonoTime
    ) -> Result<ServerRoom.Stay, InviteDenial>? {
        if connections[id]?.isLocal == true { return .success(.ofTheServer) }
        let decision = room.invites.decide(hello.token, for: person, at: wallClock.unixSeconds(at: now))
        if case .failure(.revoked) = decision, let seat = room.index(of: person).map({ room.members[$0] }),
            seat.publicly.session == hello.session
        {
            return .success(seat.stay)
        }
        return decision?.map { ServerRoom.Stay($0) }
    }

    private func hasSeat(for member: MemberID, in name: String) -> Bool {
        guard let room = rooms[name] else { return false }
        return room.index(of: member) != nil || room.members.count < room.configuration.seats
    }

    /// Deals with the seat that this identity already has: the same session takes it over and is given what was kept
    /// for it; another session, or one that comes back as something else, replaces it, and `nil` is the answer.
    private mutating func release(
        _ applicant: ServerRoom.Applicant, at now: MonoTime, into out: inout Outbox<Event>
    ) -> [[UInt8]]? {
        let (room, member) = (applicant.hello.room, applicant.id)
        guard let index = rooms[room]?.index(of: member), let old = rooms[room]?.members[index] else { return nil }
        if let connection = old.connection {
            let reason = "you came into this room by another connection, which replaces this one"
            end(connection, with: Refusal(.replaced, reason), at: now, into: &out)
        }
        guard old.publicly.session == applicant.hello.session, old.stay.role == applicant.stay.role else {
            remove(member, from: room, reason: .replaced, at: now, into: &out)
            return nil
        }
        rooms[room]?.members[index].stay = applicant.stay
        rooms[room]?.members[index].connection = applicant.connection
        rooms[room]?.members[index].awayUntil = nil
        rooms[room]?.members[index].kept = []
        rooms[room]?.members[index].keptBytes = 0
        return old.kept
    }

    private mutating func wait(_ applicant: ServerRoom.Applicant, at now: MonoTime, into out: inout Outbox<Event>) {
        let (room, member, id) = (applicant.hello.room, applicant.id, applicant.connection)
        if let old = rooms[room]?.waiters.first(where: { $0.id == member }) {
            let reason = "you wait in this room by another connection, which replaces this one"
            end(old.connection, with: Refusal(.replaced, reason), at: now, into: &out)
            removeWaiter(member, from: room, connection: old.connection, into: &out)
        }
        guard let count = rooms[room]?.waiters.count, count < limits.waiters else {
            let reason = "\(limits.waiters) people wait in this room already; try again later"
            return turnAway(id, Refusal(.roomFull, reason), at: now, into: &out)
        }
        counters.admitted += 1
        connections[id]?.phase = .waiting(room: room, id: member)
        rooms[room]?.waiters.append(applicant)
        welcome(id, as: member, in: room, resumed: false, at: now, into: &out)
        broadcastWaiting(in: room, into: &out)
    }

    private func welcome(
        _ id: ConnectionID, as member: MemberID, in name: String, resumed: Bool, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard let room = rooms[name] else { return }
        let seat = room.index(of: member).map { room.members[$0] }
        let stay = seat?.stay ?? room.waiters.first { $0.id == member }?.stay
        let welcome = Welcome(
            id: member, server: instance, room: name, role: stay?.role ?? .guest, resumed: resumed,
            members: seat == nil ? [] : room.others(than: member).map(\.publicly),
            waiting: seat == nil ? [] : room.waitingNames, iceServers: room.configuration.iceServers(member),
            limits: Welcome.Limits(
                seats: room.configuration.seats, messageBytes: RoomProtocol.messageByteLimit,
                descriptionBytes: RoomProtocol.descriptionByteLimit, pingSeconds: limits.pingInterval.seconds),
            expiresIn: stay.flatMap { secondsLeft(of: $0, at: now) })
        send(.welcome(welcome), to: id, into: &out)
    }
}

extension MemberID {
    /// The id that everyone may know of who keeps this secret: 72 bits of a hash, which tells nothing of the secret.
    init(identity: String) {
        let digest = SHA256.digest(of: [UInt8]("hoot room member ".utf8) + [UInt8](identity.utf8))
        self.init(Base64URL.encode([UInt8](digest.prefix(9))))
    }
}
