/// What happens in a room, as one of its members sees it: the same for the member inside the hosting core and for one
/// at the other end of the world.
package enum RoomEvent: Hashable, Sendable {
    /// We are in, for the first time, or (`Welcome.members` is then filled) after waiting.
    case welcome(Welcome)
    case memberJoined(RoomMember)
    case memberLeft(MemberID, LeaveReason)
    case message(from: MemberID, PeerMessage)
    /// The names that can be rung now.
    case waiting([String])
    /// We knock: a host answers within so many seconds, and then `welcome` comes, or `closed`.
    case knocking(seconds: Double)
    /// To hosts: someone knocks.
    case knock(Knock)
    case knockOver(MemberID, KnockOutcome)
    /// Our time in the room is over in so many seconds.
    case expiring(seconds: Double)
    /// We may stay so many seconds more; `nil`: for ever.
    case renewed(expiresIn: Double?)
    /// To hosts: a member asks for more time.
    case renewalWanted(MemberID)
    /// The server has said nothing for `RoomClientMachine.Limits.interruptedTime`; the call's media go on.
    case interrupted
    /// Nothing for `RoomClientMachine.Limits.lostTime`.
    case lost
    /// The server is heard again, after `interrupted`.
    case rejoined
    /// The connection to the room's server is broken; the call's media go on. Tried again in `next`.
    case reconnecting(attempt: Int, next: Duration, reason: String)
    /// Back again. What is not listed as removed keeps its media.
    case reconnected(RosterChange)
    /// What becomes of our own ringing.
    case ringing(RingID, RingProgress)
    /// Someone rings us.
    case incomingRing(IncomingInvite)
    case incomingRingEnded(RingID, IncomingRingMachine.EndReason)
    /// The server did not take one of our messages.
    case complaint(Refusal, about: String)
    /// The last event; comes exactly once.
    case closed(RoomEnd)
}

/// How the roster differs when we come back.
package struct RosterChange: Hashable, Sendable {
    /// New peers; one that came back as another session is in `removed` too, which counts first.
    package var added: [RoomMember] = []
    package var removed: [MemberID] = []
    /// The same peers as before.
    package var same: [MemberID] = []
    /// Not back yet at a server that was started anew: still peers, until they join or `memberLeft` says `notReturned`.
    package var awaited: [MemberID] = []

    package init() {}
}

/// Why the room is over for us.
package enum RoomEnd: Hashable, Sendable, CustomStringConvertible {
    /// We said goodbye.
    case left
    case roomClosed(String)
    case refused(Refusal)
    /// The first connection failed.
    case unreachable(String)
    /// The server was out of reach for too long; the media of the call may still stand.
    case gaveUp(String)

    package var description: String {
        switch self {
        case .left: "left the room"
        case .roomClosed(let reason): reason
        case .refused(let refusal): refusal.reason
        case .unreachable(let reason), .gaveUp(let reason): reason
        }
    }
}
