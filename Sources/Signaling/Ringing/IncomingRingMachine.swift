package import Primitives

/// The called side: however often an invite is repeated, it is one call, and it rings once (Q5).
package struct IncomingRingMachine {
    package enum Event: Hashable, Sendable {
        /// Someone calls.
        case ringing(IncomingInvite)
        case send(ClientMessage)
        /// The ringing is over.
        case ended(RingID, EndReason)
    }

    package enum EndReason: String, Hashable, Sendable {
        case accepted
        case rejected
        /// The caller gave up, or someone else of this name answered.
        case cancelled
        /// The invites stopped coming.
        case lost
    }

    private struct Ringing {
        let invite: IncomingInvite
        var expires: MonoTime
    }

    private static let finishedLimit = 32
    private static let ringingLimit = 16

    private var ringing: [Ringing] = []
    /// Calls that are over here, so that a late repeat does not ring again; an accepted or rejected one is answered
    /// again, since its answer may have been lost.
    private var finished: [(call: RingID, answer: RingAnswer?)] = []

    package init() {}

    /// The calls that ring now, the oldest first.
    package var calls: [IncomingInvite] {
        ringing.map(\.invite)
    }

    package mutating func receive(_ invite: IncomingInvite, at now: MonoTime, into out: inout Outbox<Event>) {
        if let over = finished.first(where: { $0.call == invite.call }) {
            if let answer = over.answer { reply(answer, to: invite, into: &out) }
            return
        }
        // Three repeats may be lost.
        let expires = now + .fractional(seconds: max(invite.interval, 1) * 3.5)
        if let index = ringing.firstIndex(where: { $0.invite.call == invite.call }) {
            ringing[index].expires = expires
        } else if ringing.count < Self.ringingLimit {
            ringing.append(Ringing(invite: invite, expires: expires))
            out.emit(.ringing(invite))
        } else {
            reply(.busy, to: invite, into: &out)
        }
    }

    package mutating func receive(_ cancel: IncomingCancel, into out: inout Outbox<Event>) {
        guard ringing.contains(where: { $0.invite.call == cancel.call && $0.invite.from == cancel.from }) else {
            return
        }
        finish(cancel.call, .cancelled, answer: nil, into: &out)
    }

    /// Answers a call that rings. `false`: no such call rings.
    package mutating func answer(_ call: RingID, _ answer: RingAnswer, into out: inout Outbox<Event>) -> Bool {
        guard let invite = ringing.first(where: { $0.invite.call == call })?.invite else { return false }
        reply(answer, to: invite, into: &out)
        finish(call, answer == .accepted ? .accepted : .rejected, answer: answer, into: &out)
        return true
    }

    /// Takes the passing of time. Afterwards `deadline` is `nil` or later than `now`.
    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        for expired in ringing.filter({ $0.expires <= now }) {
            finish(expired.invite.call, .lost, answer: nil, into: &out)
        }
    }

    package var deadline: MonoTime? {
        ringing.lazy.map(\.expires).min()
    }

    private func reply(_ answer: RingAnswer, to invite: IncomingInvite, into out: inout Outbox<Event>) {
        out.emit(.send(.ringAnswer(RingReply(call: invite.call, to: invite.from, answer: answer))))
    }

    private mutating func finish(
        _ call: RingID, _ reason: EndReason, answer: RingAnswer?, into out: inout Outbox<Event>
    ) {
        ringing.removeAll { $0.invite.call == call }
        // Where the invites stopped coming, they may come again.
        if reason != .lost { finished.append((call, answer)) }
        if finished.count > Self.finishedLimit { finished.removeFirst() }
        out.emit(.ended(call, reason))
    }
}
