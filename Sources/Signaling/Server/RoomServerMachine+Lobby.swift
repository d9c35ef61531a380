internal import Primitives

/// Who knocks, and what hosts decide about people.
extension RoomServerMachine {
    mutating func knockOrJoin(
        _ applicant: ServerRoom.Applicant, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard rooms[applicant.hello.room]?.hasToKnock(applicant) == true else {
            return join(applicant, at: now, into: &out)
        }
        knock(applicant, at: now, into: &out)
    }

    private mutating func knock(_ applicant: ServerRoom.Applicant, at now: MonoTime, into out: inout Outbox<Event>) {
        let (name, id) = (applicant.hello.room, applicant.connection)
        if let index = rooms[name]?.knockers.firstIndex(where: { $0.id == applicant.id }),
            let old = rooms[name]?.knockers.remove(at: index)
        {
            let reason = "you knock at this room by another connection, which replaces this one"
            end(old.connection, with: Refusal(.replaced, reason), at: now, into: &out)
        }
        guard let count = rooms[name]?.knockers.count, count < limits.knockers else {
            let reason = "too many people knock at this room now; try again later"
            return turnAway(id, Refusal(.roomFull, reason), at: now, into: &out)
        }
        let seconds = answerSeconds(in: name)
        connections[id]?.phase = .knocking(
            room: name, id: applicant.id, until: now + .fractional(seconds: seconds))
        rooms[name]?.knockers.append(applicant)
        send(.lobby(room: name, seconds: seconds), to: id, into: &out)
        tellHosts(.knock(applicant.asKnock(seconds: seconds)), in: name, at: now, into: &out)
    }

    func answerSeconds(in room: String) -> Double {
        rooms[room]?.configuration.answerTime.seconds ?? 0
    }

    /// A host who comes in learns who knocks already.
    mutating func tellOfKnockers(_ host: MemberID, in name: String, at now: MonoTime, into out: inout Outbox<Event>) {
        for knocker in rooms[name]?.knockers ?? [] {
            guard case .knocking(_, _, let until) = connections[knocker.connection]?.phase else { continue }
            let knock = knocker.asKnock(seconds: max(0, (until - now).seconds))
            deliver(RoomProtocol.encode(ServerMessage.knock(knock)), to: host, in: name, at: now, into: &out)
        }
    }

    /// Takes someone out of the lobby and tells the hosts; its connection is the caller's business.
    mutating func removeKnocker(
        _ person: MemberID, from room: String, as outcome: KnockOutcome, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard let index = rooms[room]?.knockers.firstIndex(where: { $0.id == person }) else { return }
        rooms[room]?.knockers.remove(at: index)
        tellHosts(.knockOver(person, outcome), in: room, at: now, into: &out)
    }

    func isHost(_ member: MemberID, in name: String) -> Bool {
        guard let room = rooms[name], let index = room.index(of: member) else { return false }
        return room.members[index].stay.role == .host
    }

    /// From now on this person need not knock.
    mutating func letIn(_ person: MemberID, to room: String, into out: inout Outbox<Event>) {
        guard rooms[room]?.configuration.hasLobby == true else { return }
        rooms[room]?.invites.admit(person)
        emitInvites(of: room, into: &out)
    }

    mutating func decide(
        _ decision: HostMessage, by host: MemberID, in room: String, from id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard isHost(host, in: room) else {
            return complain(.notAllowed, "only a host may do that", about: decision.type, to: id, into: &out)
        }
        let refusal =
            switch decision {
            case .admit(let person): answerKnock(of: person, isAdmitted: true, in: room, at: now, into: &out)
            case .decline(let person, let reason):
                answerKnock(of: person, isAdmitted: false, reason, in: room, at: now, into: &out)
            case .kick(let person, let reason): kick(person, by: host, reason, in: room, at: now, into: &out)
            case .extend(let person, let seconds): extend(person, by: seconds, in: room, at: now, into: &out)
            }
        if let refusal { send(.error(refusal, about: decision.type), to: id, into: &out) }
    }

    private mutating func answerKnock(
        of person: MemberID, isAdmitted: Bool, _ reason: String? = nil, in name: String, at now: MonoTime,
        into out: inout Outbox<Event>
    ) -> Refusal? {
        guard let knocker = rooms[name]?.knockers.first(where: { $0.id == person }) else {
            return Refusal(.unknownMember, "nobody of that id knocks; it may have given up")
        }
        removeKnocker(person, from: name, as: isAdmitted ? .admitted : .declined, at: now, into: &out)
        if isAdmitted {
            letIn(person, to: name, into: &out)
            readmit(knocker, at: now, into: &out) { $0.join($1, at: now, into: &$2) }
        } else {
            let words = Self.words("the host does not let you in", reason)
            turnAway(knocker.connection, Refusal(.declined, words), at: now, into: &out)
        }
        return nil
    }

    private mutating func kick(
        _ person: MemberID, by host: MemberID, _ reason: String?, in name: String, at now: MonoTime,
        into out: inout Outbox<Event>
    ) -> Refusal? {
        guard person != host, let room = rooms[name], let index = room.index(of: person) else {
            return Refusal(.unknownMember, "no other member of that id is in the call")
        }
        let member = room.members[index]
        guard let invite = member.stay.invite else {
            return Refusal(.notAllowed, "the room is served by \(member.publicly.name), who cannot be removed from it")
        }
        rooms[name]?.invites.bar(person, from: invite)
        emitInvites(of: name, into: &out)
        let refusal = Refusal(.removed, Self.words("the host removed you from the room", reason))
        expel(member, from: name, with: refusal, as: .removed, at: now, into: &out)
        return nil
    }

    /// Ends a member's seat, and its connection where it has one.
    mutating func expel(
        _ member: ServerRoom.Member, from room: String, with refusal: Refusal, as reason: LeaveReason,
        at now: MonoTime, into out: inout Outbox<Event>
    ) {
        if let connection = member.connection { end(connection, with: refusal, at: now, into: &out) }
        remove(member.publicly.id, from: room, reason: reason, at: now, into: &out)
    }

    private static func words(_ what: String, _ reason: String?) -> String {
        reason.map { $0.isEmpty ? what : "\(what): \($0)" } ?? what
    }
}

extension ServerRoom.Applicant {
    func asKnock(seconds: Double) -> Knock {
        Knock(id: id, name: hello.name, role: stay.role, seconds: seconds)
    }
}
