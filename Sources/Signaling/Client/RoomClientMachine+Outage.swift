package import Primitives

/// How long the server has not been heard (FEATURES A5.9). What counts is its last word to us as to someone inside,
/// whatever becomes of connections meanwhile.
extension RoomClientMachine {
    mutating func noteHeard(at now: MonoTime, into out: inout Outbox<Event>) {
        lastHeard = now
        doubtEnd = nil
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

    /// The network has changed: that a connection hangs, whose address is gone, would only be noticed by silence, so the
    /// server is asked for a sign of life; where one is waited for, it is begun at once.
    package mutating func networkChanged(at now: MonoTime, into out: inout Outbox<Event>) {
        switch state {
        case .inside, .knocking:
            doubtEnd = doubtEnd ?? now + limits.doubtTime
            ping(at: now, into: &out)
        case .connecting, .greeting:
            out.emit(.disconnect)
            connect(at: now, into: &out)
        case .backingOff: connect(at: now, into: &out)
        case .idle, .over: break
        }
    }

    func isDoubtOver(at now: MonoTime) -> Bool {
        doubtEnd.map { $0 <= now } ?? false
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
