internal import Primitives

extension RoomClientMachine {
    mutating func connect(at now: MonoTime, into out: inout Outbox<Event>) {
        state = .connecting(until: now + limits.connectTime)
        out.emit(.connect)
    }

    /// Tries again later, unless we have never been in: then the room is out of reach, and the user should know now.
    mutating func retry(_ reason: String, at now: MonoTime, into out: inout Outbox<Event>) {
        guard welcome != nil else { return finish(.unreachable(reason), into: &out) }
        let wait = backoff.next()
        state = .backingOff(until: now + wait)
        out.emit(.room(.reconnecting(attempt: backoff.attempt, next: wait, reason: reason)))
    }

    mutating func finish(_ end: RoomEnd, into out: inout Outbox<Event>) {
        guard !isOver else { return }
        state = .over
        out.emit(.disconnect)
        out.emit(.room(.closed(end)))
    }

    mutating func ping(at now: MonoTime, into out: inout Outbox<Event>) {
        pingNumber += 1
        lastPing = now
        out.send(RoomProtocol.encode(ClientMessage.ping(number: pingNumber)))
    }

    mutating func keep(_ message: ClientMessage) {
        guard unsent.count < limits.unsentMessages else {
            unsentDropCount += 1
            return
        }
        unsent.append(message)
    }

    mutating func handle(_ message: ServerMessage, at now: MonoTime, into out: inout Outbox<Event>) {
        switch message {
        case .welcome(let welcome): take(welcome, at: now, into: &out)
        case .refused(let refusal): take(refusal, at: now, into: &out)
        case .closing(let reason): finish(.roomClosed(reason), into: &out)
        case .ping(let number): out.send(RoomProtocol.encode(ClientMessage.pong(number: number)))
        case .pong: return
        case .lobby(_, let seconds):
            state = .knocking
            out.emit(.room(.knocking(seconds: seconds)))
        default: if isInside { handleInside(message, at: now, into: &out) }
        }
    }

    private mutating func handleInside(_ message: ServerMessage, at now: MonoTime, into out: inout Outbox<Event>) {
        switch message {
        case .joined(let member):
            guard member.id != id else { return }
            for event in roster.join(member) { out.emit(.room(event)) }
        case .left(let id, let reason):
            if roster.remove(id) { out.emit(.room(.memberLeft(id, reason))) }
        case .waiting(let names):
            out.emit(.room(.waiting(names)))
        case .relay(let from, let payload):
            if case .status(let status) = payload { roster.setStatus(status, of: from) }
            out.emit(.room(.message(from: from, payload)))
        case .knock(let knock): out.emit(.room(.knock(knock)))
        case .knockOver(let id, let outcome): out.emit(.room(.knockOver(id, outcome)))
        case .expiring(let seconds): out.emit(.room(.expiring(seconds: seconds)))
        case .renewalWanted(let id): out.emit(.room(.renewalWanted(id)))
        case .renewed(let renewal):
            if let token = renewal.token ?? presented { hello.token = token }
            presented = nil
            out.emit(.room(.renewed(expiresIn: renewal.expiresIn)))
        case .error(let refusal, let about):
            if about == "enter" { hello.intent = .wait }
            if about == "renew" { presented = nil }
            out.emit(.room(.complaint(refusal, about: about)))
        case .ring, .ringCancel, .ringAnswer, .ringState:
            handleRing(message, at: now, into: &out)
        case .welcome, .lobby, .refused, .closing, .ping, .pong: return
        }
    }

    private mutating func take(_ new: Welcome, at now: MonoTime, into out: inout Outbox<Event>) {
        let old = welcome
        let wasInside = isInside
        welcome = new
        state = .inside
        backoff.reset()
        refusalCount = 0
        if let old, !wasInside {
            let isAuthoritative = old.server == new.server
            let change = roster.reconcile(
                with: new.members, isAuthoritative: isAuthoritative, wereGone: isAuthoritative && !new.resumed,
                until: now + limits.returnTime)
            forgetUnsent(exceptTo: change.same)
            out.emit(.room(.reconnected(change)))
            out.emit(.room(.waiting(new.waiting)))
        } else {
            roster.begin(with: new.members)
            out.emit(.room(.welcome(new)))
        }
        noteHeard(at: now, into: &out)
        resend(into: &out)
    }

    /// What was meant for a peer that is no more would only confuse the one who came in its place, and one who is not
    /// back yet would not get it.
    private mutating func forgetUnsent(exceptTo same: [MemberID]) {
        unsent.removeAll { message in
            guard case .relay(let to?, _) = message else { return false }
            return !same.contains(to)
        }
    }

    /// What could not be said while the connection was broken, and the status, which a new server does not know.
    private mutating func resend(into out: inout Outbox<Event>) {
        if let lastStatus, hello.intent == .join {
            out.send(RoomProtocol.encode(ClientMessage.relay(to: nil, .status(lastStatus))))
        }
        for message in unsent { out.send(RoomProtocol.encode(message)) }
        unsent = []
    }

    private mutating func take(_ refusal: Refusal, at now: MonoTime, into out: inout Outbox<Event>) {
        refusalCount += 1
        guard welcome != nil, isWorthRetrying(refusal) else { return finish(.refused(refusal), into: &out) }
        out.emit(.disconnect)
        retry(refusal.reason, at: now, into: &out)
    }

    private func isWorthRetrying(_ refusal: Refusal) -> Bool {
        switch refusal.code {
        case .tooLate, .tooSlow, .rate: true
        // A host that was started anew may not have opened its room yet, or seats may still be held.
        case .notAdmitted, .roomFull: refusalCount < limits.refusalsOnReturn
        case .expired, .used, .revoked, .removed, .declined, .noAnswer, .version, .malformed, .unknownType, .invalid,
            .tooLong, .replaced, .notAllowed, .unknownMember,
            .roomClosed:
            false
        }
    }
}
