package import Primitives

/// Invites: giving out, withdrawing, and what their expiry means for who is inside.
extension RoomServerMachine {
    /// The invites of a room that is open.
    package func invites(of room: RoomName) -> InviteBook? {
        rooms[room.text]?.invites
    }

    /// Gives out an invite to a room that is open; `nil`: it is not.
    package mutating func issue(
        _ role: RoomRole, isSingleUse: Bool, expiry: UInt64?, in room: RoomName, at now: MonoTime,
        into out: inout Outbox<Event>
    ) throws(InviteLimitError) -> Invite? {
        let invite = try rooms[room.text]?.invites.issue(
            role, isSingleUse: isSingleUse, expiry: expiry, at: wallClock.unixSeconds(at: now))
        emitInvites(of: room.text, into: &out)
        return invite
    }

    /// Withdraws an invite; the room's own link gives way to another. With `removing`, those who came in by it have to go. `false`: there is none of this number.
    package mutating func revoke(
        _ number: Int, removing: Bool, in room: RoomName, at now: MonoTime, into out: inout Outbox<Event>
    ) -> Bool {
        let wasOwnLink = rooms[room.text]?.invites.record.ownLink == number
        guard rooms[room.text]?.invites.revoke(number) == true else { return false }
        if wasOwnLink { _ = try? rooms[room.text]?.invites.ownLink(at: wallClock.unixSeconds(at: now)) }
        emitInvites(of: room.text, into: &out)
        guard removing, let open = rooms[room.text] else { return true }
        let refusal = InviteDenial.revoked.refusal
        for member in open.members where member.stay.invite == number {
            expel(member, from: room.text, with: refusal, as: .removed, at: now, into: &out)
        }
        for applicant in open.waiters + open.knockers where applicant.stay.invite == number {
            drop(applicant.connection, with: refusal, as: .removed, at: now, into: &out)
        }
        return true
    }

    func emitInvites(of room: String, into out: inout Outbox<Event>) {
        guard let invites = rooms[room]?.invites else { return }
        out.emit(.invitesChanged(invites.room, invites.record))
    }

    mutating func noteUse(
        of stay: ServerRoom.Stay, by member: MemberID, called name: String, in room: String,
        into out: inout Outbox<Event>
    ) {
        guard let invite = stay.invite,
            rooms[room]?.invites.noteUse(of: invite, by: member, called: name) == true
        else { return }
        emitInvites(of: room, into: &out)
    }

    func secondsLeft(of stay: ServerRoom.Stay, at now: MonoTime) -> Double? {
        stay.expiry.map { max(0, (wallClock.instant(ofUnixSeconds: $0) - now).seconds) }
    }
}

/// The time that members have.
extension RoomServerMachine {
    /// A member presents a new token, or asks for more time.
    mutating func renew(
        _ token: String?, of member: MemberID, in name: String, from id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard let room = rooms[name], let index = room.index(of: member) else { return }
        guard let token else { return askForTime(room.members[index], in: room, id, at: now, into: &out) }
        switch room.invites.decide(token, for: member, at: wallClock.unixSeconds(at: now)) {
        case nil: complain(.notAdmitted, "the token does not open this room", about: "renew", to: id, into: &out)
        case .failure(let denial): send(.error(denial.refusal, about: "renew"), to: id, into: &out)
        case .success(let invite) where invite.role != room.members[index].stay.role:
            let reason = "the new link is for a \(invite.role.word); leave, and come in by it"
            complain(.notAllowed, reason, about: "renew", to: id, into: &out)
        case .success(let invite):
            let stay = ServerRoom.Stay(invite)
            rooms[name]?.members[index].stay = stay
            noteUse(of: stay, by: member, called: room.members[index].publicly.name, in: name, into: &out)
            send(.renewed(Renewal(expiresIn: secondsLeft(of: stay, at: now))), to: id, into: &out)
        }
    }

    private mutating func askForTime(
        _ member: ServerRoom.Member, in room: ServerRoom, _ id: ConnectionID, at now: MonoTime,
        into out: inout Outbox<Event>
    ) {
        guard member.stay.expiry != nil else {
            return complain(.notAllowed, "your time here has no end", about: "renew", to: id, into: &out)
        }
        guard room.members.contains(where: { $0.stay.role == .host }) else {
            return complain(
                .notAllowed, "no host is in the call who could be asked", about: "renew", to: id, into: &out)
        }
        tellHosts(.renewalWanted(member.publicly.id), in: room.configuration.name.text, at: now, into: &out)
    }

    /// Gives a member an invite of its own. One that it had before and nobody else can use is struck out.
    mutating func extend(
        _ person: MemberID, by seconds: Double?, in name: String, at now: MonoTime, into out: inout Outbox<Event>
    ) -> Refusal? {
        guard let room = rooms[name], let index = room.index(of: person) else {
            return Refusal(.unknownMember, "no member of that id is in the call")
        }
        guard let former = room.members[index].stay.invite else {
            return Refusal(.notAllowed, "the time of who serves the room has no end")
        }
        let unixSeconds = wallClock.unixSeconds(at: now)
        if room.invites[former]?.isSingleUse == true { _ = rooms[name]?.invites.revoke(former) }
        do throws(InviteLimitError) {
            let member = room.members[index]
            let issued = try rooms[name]?.invites.issue(
                member.stay.role, isSingleUse: true, expiry: seconds.map { UInt64(unixSeconds + $0) },
                for: member.publicly, at: unixSeconds)
            guard let invite = issued else { return nil }
            let stay = ServerRoom.Stay(invite)
            rooms[name]?.members[index].stay = stay
            emitInvites(of: name, into: &out)
            let renewal = Renewal(expiresIn: secondsLeft(of: stay, at: now), token: room.invites.token(of: invite).text)
            let message = ServerMessage.renewed(renewal)
            deliver(RoomProtocol.encode(message), to: person, in: name, at: now, into: &out)
            return nil
        } catch {
            return Refusal(.notAllowed, error.description)
        }
    }

    /// Warns those whose time is nearly over, and ends the time of those for whom it is.
    mutating func tickStays(in name: String, at now: MonoTime, into out: inout Outbox<Event>) {
        guard let room = rooms[name] else { return }
        for member in room.members {
            guard let seconds = secondsLeft(of: member.stay, at: now) else { continue }
            if seconds <= 0 {
                expel(member, from: name, with: InviteDenial.expired.refusal, as: .expired, at: now, into: &out)
            } else if seconds <= limits.warningTime.seconds, !member.stay.isWarned, let id = member.connection {
                if let index = rooms[name]?.index(of: member.publicly.id) {
                    rooms[name]?.members[index].stay.isWarned = true
                }
                send(.expiring(seconds: seconds), to: id, into: &out)
            }
        }
        for waiter in room.waiters where secondsLeft(of: waiter.stay, at: now) == 0 {
            drop(waiter.connection, with: InviteDenial.expired.refusal, as: .expired, at: now, into: &out)
        }
    }

    /// When someone in the room has to be warned or has to go.
    func stayDeadline(in room: ServerRoom) -> MonoTime? {
        let ofMembers = room.members.lazy.compactMap { member in
            end(of: member.stay).map {
                member.stay.isWarned || member.connection == nil ? $0 : $0 - limits.warningTime
            }
        }
        return earlier(ofMembers.min(), room.waiters.lazy.compactMap { end(of: $0.stay) }.min())
    }

    private func end(of stay: ServerRoom.Stay) -> MonoTime? {
        stay.expiry.map { wallClock.instant(ofUnixSeconds: $0) }
    }
}
