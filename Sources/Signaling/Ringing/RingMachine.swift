package import Primitives

/// The caller's side of one call: rings people by name, repeats the invites, and ends each person's ringing by an
/// answer, by time or by hanging up (Q2–Q7).
///
/// Everyone has a timer of their own. When it runs out, `userDidNotRespond` comes first and `connectionClosed` after
/// it, for the same name.
package struct RingMachine {
    package enum Event: Hashable, Sendable {
        case send(ClientMessage)
        case progress(RingProgress)
    }

    private struct Callee {
        let name: String
        let giveUp: MonoTime
        var nextInvite: MonoTime
        var state: RingReport.State?
    }

    package let call: RingID
    private let settings: RingSettings
    private var callees: [Callee] = []

    package init(call: RingID, settings: RingSettings = RingSettings()) {
        self.call = call
        self.settings = settings
    }

    /// Who has not answered yet.
    package var names: [String] {
        callees.map(\.name)
    }

    package var isFinished: Bool {
        callees.isEmpty
    }

    /// When `name` will be given up; for a countdown.
    package func giveUpTime(of name: String) -> MonoTime? {
        callees.first { $0.name == name }?.giveUp
    }

    /// Begins to ring a person; ringing someone who is rung already changes nothing.
    package mutating func ring(_ name: String, at now: MonoTime, into out: inout Outbox<Event>) {
        guard !callees.contains(where: { $0.name == name }) else { return }
        let next = now + settings.dialingInterval
        callees.append(Callee(name: name, giveUp: now + settings.answerInterval, nextInvite: next))
        invite(name, into: &out)
    }

    /// The server says what became of an invite.
    package mutating func receive(_ report: RingReport, into out: inout Outbox<Event>) {
        guard report.call == call, let index = callees.firstIndex(where: { $0.name == report.name }),
            callees[index].state != report.state
        else { return }
        callees[index].state = report.state
        switch report.state {
        case .ringing: out.emit(.progress(.isRinging(report.name)))
        case .absent: out.emit(.progress(.isAbsent(report.name)))
        case .inCall:
            callees.remove(at: index)
            out.emit(.progress(.connectionClosed(report.name, .inCall)))
        }
    }

    /// Someone answers. Who was given up already, or is not rung, is not heard.
    package mutating func receive(_ reply: IncomingReply, into out: inout Outbox<Event>) {
        guard reply.call == call, let index = callees.firstIndex(where: { $0.name == reply.name }) else { return }
        callees.remove(at: index)
        // Others of this name, or the same person elsewhere, need not go on ringing.
        out.emit(.send(.ringCancel(RingCancel(call: call, name: reply.name))))
        switch reply.answer {
        case .accepted:
            out.emit(.progress(.accepted(reply.name)))
        case .rejected, .busy:
            out.emit(.progress(.rejected(reply.name, reply.answer)))
            out.emit(.progress(.connectionClosed(reply.name, reply.answer == .busy ? .busy : .rejected)))
        }
    }

    /// The caller gives up on one person, or with `nil` on everyone.
    package mutating func hangUp(_ name: String? = nil, into out: inout Outbox<Event>) {
        for callee in callees where name == nil || callee.name == name {
            out.emit(.send(.ringCancel(RingCancel(call: call, name: callee.name))))
            out.emit(.progress(.connectionClosed(callee.name, .hungUp)))
        }
        callees.removeAll { name == nil || $0.name == name }
    }

    /// Takes the passing of time. Afterwards `deadline` is `nil` or later than `now`.
    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        let silent = callees.filter { $0.giveUp <= now }
        callees.removeAll { $0.giveUp <= now }
        for callee in silent {
            out.emit(.send(.ringCancel(RingCancel(call: call, name: callee.name))))
            out.emit(.progress(.userDidNotRespond(callee.name)))
            out.emit(.progress(.connectionClosed(callee.name, .notAnswered)))
        }
        for index in callees.indices where callees[index].nextInvite <= now {
            callees[index].nextInvite = now + settings.dialingInterval
            invite(callees[index].name, into: &out)
        }
    }

    package var deadline: MonoTime? {
        callees.lazy.map { min($0.giveUp, $0.nextInvite) }.min()
    }

    private func invite(_ name: String, into out: inout Outbox<Event>) {
        let interval = settings.dialingInterval.seconds
        out.emit(.send(.ring(RingInvite(call: call, name: name, interval: interval))))
    }
}
