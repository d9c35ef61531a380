package import Primitives

/// The invites of one room: what was given out, what was used, who may come in.
///
/// An invite that is not in the book opens nothing, however genuine its token is: to revoke one is to strike it out, so
/// the book stays as small as what is still good. Times are Unix seconds.
package struct InviteBook: Sendable {
    /// What has to outlive the process, beside the signer's key.
    package struct Record: Hashable, Sendable, Codable {
        package var invites: [Invite] = []
        /// The invite behind the room's own link.
        package var ownLink: Int?
        /// Whom the host has let in from the lobby.
        package var admitted: [MemberID] = []
        var lastNumber = 0

        package init() {}

        /// Strikes out what has expired.
        package mutating func prune(at now: Double) {
            invites.removeAll { $0.hasExpired(at: now) }
        }
    }

    package static let inviteLimit = 256
    /// How many people are remembered as let in, and as removed by one invite; the oldest are forgotten.
    static let peopleLimit = 256

    package let room: RoomName
    private let signer: RoomTokenSigner
    private var nonces: SplitMix64
    package private(set) var record: Record

    /// The book of `room` as `record` left it. `nonces` keeps apart the invites of different lives of a room; it needs
    /// to be no secret.
    package init(room: RoomName, signer: RoomTokenSigner, record: Record = Record(), nonces: SplitMix64) {
        self.room = room
        self.signer = signer
        self.record = record
        self.nonces = nonces
    }

    /// Gives out a new invite.
    package mutating func issue(
        _ role: RoomRole, isSingleUse: Bool = false, expiry: UInt64? = nil, for person: RoomMember? = nil,
        at now: Double
    ) throws(InviteLimitError) -> Invite {
        record.prune(at: now)
        guard record.invites.count < Self.inviteLimit else { throw InviteLimitError(limit: Self.inviteLimit) }
        record.lastNumber += 1
        let invite = Invite(
            number: record.lastNumber, role: role, isSingleUse: isSingleUse, expiry: expiry, usedBy: person?.id,
            userName: person?.name, nonce: nonces.next())
        record.invites.append(invite)
        return invite
    }

    /// The room's own link: for guests, for any number of them, for ever. Made where there is none.
    package mutating func ownLink(at now: Double) throws(InviteLimitError) -> RoomToken {
        if let number = record.ownLink, let invite = self[number] { return token(of: invite) }
        let invite = try issue(.guest, at: now)
        record.ownLink = invite.number
        return token(of: invite)
    }

    package func token(of invite: Invite) -> RoomToken {
        signer.token(granting: invite.grant, to: room)
    }

    package subscript(number: Int) -> Invite? {
        record.invites.first { $0.number == number }
    }

    /// Decides on a token: `nil` where it is not genuine, in which case nothing must be told.
    func decide(_ text: String, for person: MemberID, at now: Double) -> Result<Invite, InviteDenial>? {
        guard let token = RoomToken(text), let grant = signer.verify(token, for: room) else { return nil }
        if let expiry = grant.expiry, Double(expiry) <= now { return .failure(.expired) }
        guard let invite = record.invites.first(where: { $0.grant == grant }) else { return .failure(.revoked) }
        if invite.barred.contains(person) { return .failure(.removed) }
        if invite.isSingleUse, let user = invite.usedBy, user != person { return .failure(.used) }
        return .success(invite)
    }

    /// Somebody has taken a seat by this invite. `true`: that changed the book.
    mutating func noteUse(of number: Int, by person: MemberID, called name: String) -> Bool {
        guard let index = index(of: number), record.invites[index].isSingleUse, record.invites[index].usedBy == nil
        else { return false }
        record.invites[index].usedBy = person
        record.invites[index].userName = name
        return true
    }

    /// Strikes an invite out. `false`: there is none of this number.
    mutating func revoke(_ number: Int) -> Bool {
        guard let index = index(of: number) else { return false }
        record.invites.remove(at: index)
        if record.ownLink == number { record.ownLink = nil }
        return true
    }

    /// Keeps one person, and nobody else, from coming back by this invite, and from coming in without knocking.
    mutating func bar(_ person: MemberID, from number: Int?) {
        record.admitted.removeAll { $0 == person }
        guard let number, let index = index(of: number), !record.invites[index].barred.contains(person) else { return }
        Self.remember(person, in: &record.invites[index].barred)
    }

    /// The host has let this person in; it need not knock again.
    mutating func admit(_ person: MemberID) {
        guard !record.admitted.contains(person) else { return }
        Self.remember(person, in: &record.admitted)
    }

    private func index(of number: Int) -> Int? {
        record.invites.firstIndex { $0.number == number }
    }

    private static func remember(_ person: MemberID, in list: inout [MemberID]) {
        list.append(person)
        list.removeFirst(max(0, list.count - peopleLimit))
    }
}
