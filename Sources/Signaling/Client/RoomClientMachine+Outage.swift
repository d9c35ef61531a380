internal import Primitives

/// How long the server has not been heard (FEATURES A5.9). What counts is its last word to us as to someone inside,
/// whatever becomes of connections meanwhile.
extension RoomClientMachine {
    mutating func noteHeard(at now: MonoTime, into out: inout Outbox<Event>) {
        lastHeard = now
        guard isInside else { return }
        lastInside = now
        guard outage != .none else { return }
        outage = .none
        out.emit(.room(.rejoined))
    }

    mutating func tickOutage(at now: MonoTime, into out: inout Outbox<Event>) {
        guard !isOver, welcome != nil else { return }
        if outage == .none, lastInside + limits.interruptedTime <= now {
            outage = .interrupted
            out.emit(.room(.interrupted))
        }
        if outage == .interrupted, lastInside + limits.lostTime <= now {
            outage = .lost
            out.emit(.room(.lost))
        }
        if lastInside + limits.patience <= now {
            let minutes = Int(limits.patience.seconds / 60)
            finish(.gaveUp("the room's server was out of reach for \(minutes) minutes"), into: &out)
        }
    }

    var outageDeadline: MonoTime? {
        guard welcome != nil else { return nil }
        switch outage {
        case .none: return lastInside + limits.interruptedTime
        case .interrupted: return lastInside + limits.lostTime
        case .lost: return lastInside + limits.patience
        }
    }

    /// When the server is asked whether it is there.
    var pingDue: MonoTime {
        max(lastPing, lastHeard) + limits.pingInterval
    }
}
