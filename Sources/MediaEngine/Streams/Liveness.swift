package import Primitives

/// Notices that a participant has fallen silent, and what is then to be done. Every peer sends something at least once a
/// second, muted or not, so silence means that the path or the peer is gone.
package struct Liveness: Machine, Sendable {
    package enum Event: Hashable, Sendable {
        /// Nothing came for `lostAfter`.
        case lost
        /// Nothing came for `restartAfter`: try a new path.
        case restartWanted
        /// Nothing came for `removedAfter`. The machine has ended; one who returns is a new participant.
        case removed
        /// Something came again after `lost`.
        case alive
    }

    package static let lostAfter = Duration.seconds(4)
    package static let restartAfter = Duration.seconds(5)
    package static let removedAfter = Duration.seconds(20)

    private static let steps: [(after: Duration, event: Event)] = [
        (lostAfter, .lost), (restartAfter, .restartWanted), (removedAfter, .removed),
    ]

    /// When something last came; at first, when the watch began.
    package private(set) var lastHeard: MonoTime
    /// How many of `steps` have been taken.
    private var stepsTaken = 0

    package init(at now: MonoTime) {
        lastHeard = now
    }

    package var isLost: Bool {
        stepsTaken > 0
    }

    /// Takes any datagram as a sign of life.
    package mutating func receive(_ datagram: RawSpan, at now: MonoTime, into out: inout Outbox<Event>) {
        heard(at: now, into: &out)
    }

    /// Takes a sign of life.
    package mutating func heard(at now: MonoTime, into out: inout Outbox<Event>) {
        guard stepsTaken < Self.steps.count else { return }
        lastHeard = max(lastHeard, now)
        if stepsTaken > 0 {
            stepsTaken = 0
            out.emit(.alive)
        }
    }

    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        while let due = deadline, due <= now {
            out.emit(Self.steps[stepsTaken].event)
            stepsTaken += 1
        }
    }

    package var deadline: MonoTime? {
        stepsTaken < Self.steps.count ? lastHeard + Self.steps[stepsTaken].after : nil
    }
}
