/// A way into a room that its host gave out, and what has become of it.
package struct Invite: Hashable, Sendable, Codable {
    /// By which the host names it; never used again in its room.
    package var number: Int
    package var role: RoomRole
    /// Whether only the first who comes in by it may use it.
    package var isSingleUse: Bool
    /// Unix seconds; `nil`: never.
    package var expiry: UInt64?
    /// Who came in by one that is for one person; nobody else may from then on.
    package var usedBy: MemberID?
    /// What that person was called.
    package var userName: String?
    /// The people who were removed and may not come back by it.
    package var barred: [MemberID] = []
    let nonce: UInt64

    var grant: RoomTokenSigner.Grant {
        .init(role: role, isSingleUse: isSingleUse, expiry: expiry, nonce: nonce)
    }

    /// Whether its time is over at `now`, in Unix seconds.
    package func hasExpired(at now: Double) -> Bool {
        expiry.map { Double($0) <= now } ?? false
    }
}

/// Why a genuine token does not let someone in. Only who holds one is told.
package enum InviteDenial: Error, Hashable, Sendable {
    case expired
    /// It was for one person, and somebody else has come in by it.
    case used
    /// The host has withdrawn it.
    case revoked
    /// The host has removed this person.
    case removed

    var refusal: Refusal {
        switch self {
        case .expired: Refusal(.expired, "the link has expired; ask the room's host for a new one")
        case .used: Refusal(.used, "the link was for one person and has been used; ask the room's host for another one")
        case .revoked: Refusal(.revoked, "the host has withdrawn this link; ask for a new one")
        case .removed: Refusal(.removed, "the host has removed you from this room")
        }
    }
}

/// Why no invite can be made.
package struct InviteLimitError: Error, CustomStringConvertible {
    package let limit: Int

    package var description: String {
        "the room has \(limit) invites already; revoke one, or wait until one expires"
    }
}
