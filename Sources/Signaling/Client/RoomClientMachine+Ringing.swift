package import Primitives

extension RoomClientMachine {
    /// Rings people by name; whom it rings for already is left out. `call` names this act of ringing and is drawn by the
    /// owner.
    package mutating func ring(_ names: [String], call: RingID, at now: MonoTime, into out: inout Outbox<Event>) {
        let names = names.filter { !ringingNames.contains($0) }
        guard !names.isEmpty, !isOver else { return }
        var machine = RingMachine(call: call, settings: ringSettings)
        var rings = Outbox<RingMachine.Event>()
        for name in names { machine.ring(name, at: now, into: &rings) }
        outgoing.append(machine)
        perform(rings, of: call, into: &out)
    }

    /// Whom it rings for now, by name.
    package var ringingNames: Set<String> {
        Set(outgoing.flatMap(\.names))
    }

    /// Gives up on one person, or with `nil` on everyone of a call.
    package mutating func hangUp(_ call: RingID, name: String? = nil, into out: inout Outbox<Event>) {
        update(call, into: &out) { $0.hangUp(name, into: &$1) }
    }

    /// Answers someone who rings us. `false`: that call no longer rings.
    package mutating func answer(_ call: RingID, _ answer: RingAnswer, into out: inout Outbox<Event>) -> Bool {
        var rings = Outbox<IncomingRingMachine.Event>()
        let isRinging = incoming.answer(call, answer, into: &rings)
        perform(rings, into: &out)
        return isRinging
    }

    /// The calls that ring here now.
    package var incomingRings: [IncomingInvite] {
        incoming.calls
    }

    mutating func hangUp(_ index: Int, into out: inout Outbox<Event>) {
        var rings = Outbox<RingMachine.Event>()
        outgoing[index].hangUp(into: &rings)
        perform(rings, of: outgoing[index].call, into: &out)
    }

    mutating func handleRing(_ message: ServerMessage, at now: MonoTime, into out: inout Outbox<Event>) {
        var rings = Outbox<IncomingRingMachine.Event>()
        switch message {
        case .ring(let invite): incoming.receive(invite, at: now, into: &rings)
        case .ringCancel(let cancel): incoming.receive(cancel, into: &rings)
        case .ringAnswer(let reply): update(reply.call, into: &out) { $0.receive(reply, into: &$1) }
        case .ringState(let report): update(report.call, into: &out) { $0.receive(report, into: &$1) }
        default: return
        }
        perform(rings, into: &out)
    }

    mutating func tickRings(at now: MonoTime, into out: inout Outbox<Event>) {
        guard !isOver else { return }
        for call in outgoing.map(\.call) {
            update(call, into: &out) { $0.tick(at: now, into: &$1) }
        }
        var rings = Outbox<IncomingRingMachine.Event>()
        incoming.tick(at: now, into: &rings)
        perform(rings, into: &out)
    }

    var ringDeadline: MonoTime? {
        earlier(incoming.deadline, outgoing.lazy.compactMap(\.deadline).min())
    }

    private mutating func update(
        _ call: RingID, into out: inout Outbox<Event>,
        by change: (inout RingMachine, inout Outbox<RingMachine.Event>) -> Void
    ) {
        guard let index = outgoing.firstIndex(where: { $0.call == call }) else { return }
        var rings = Outbox<RingMachine.Event>()
        change(&outgoing[index], &rings)
        if outgoing[index].isFinished { outgoing.remove(at: index) }
        perform(rings, of: call, into: &out)
    }

    private func perform(_ rings: Outbox<RingMachine.Event>, of call: RingID, into out: inout Outbox<Event>) {
        for event in rings.events {
            switch event {
            case .send(let message): if isInside { out.send(RoomProtocol.encode(message)) }
            case .progress(let progress): out.emit(.room(.ringing(call, progress)))
            }
        }
    }

    private func perform(_ rings: Outbox<IncomingRingMachine.Event>, into out: inout Outbox<Event>) {
        for event in rings.events {
            switch event {
            case .send(let message): if isInside { out.send(RoomProtocol.encode(message)) }
            case .ringing(let invite): out.emit(.room(.incomingRing(invite)))
            case .ended(let call, let reason): out.emit(.room(.incomingRingEnded(call, reason)))
            }
        }
    }
}
