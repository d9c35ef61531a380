internal import Primitives

/// One room as its server knows it.
struct ServerRoom {
    /// By what right, and for how long, someone is in the room.
    struct Stay {
        let role: RoomRole
        /// The number of the invite; `nil` for the member inside the serving process.
        let invite: Int?
        /// Unix seconds; `nil`: for ever.
        let expiry: UInt64?
        /// The end has been announced.
        var isWarned = false

        static let ofTheServer = Stay(role: .host, invite: nil, expiry: nil)

        init(role: RoomRole, invite: Int?, expiry: UInt64?) {
            self.role = role
            self.invite = invite
            self.expiry = expiry
        }

        init(_ invite: Invite) {
            self.init(role: invite.role, invite: invite.number, expiry: invite.expiry)
        }
    }

    /// Someone who may come in and has no seat: who waits to be rung, and who knocks.
    struct Applicant {
        let hello: Hello
        let id: MemberID
        let stay: Stay
        let connection: ConnectionID
    }

    struct Member {
        var publicly: RoomMember
        var stay: Stay
        /// `nil`: it broke, and its seat is kept until `awayUntil`.
        var connection: ConnectionID?
        var awayUntil: MonoTime?
        /// What came for it meanwhile.
        var kept: [[UInt8]] = []
        var keptBytes = 0
    }

    let configuration: RoomConfiguration
    var invites: InviteBook
    /// In the order of joining.
    var members: [Member] = []
    var waiters: [Applicant] = []
    /// In the order of knocking.
    var knockers: [Applicant] = []

    init(configuration: RoomConfiguration) {
        self.configuration = configuration
        invites = configuration.invites
    }

    /// The names that can be rung, each once.
    var waitingNames: [String] {
        var seen: Set<String> = []
        return waiters.map(\.hello.name).filter { seen.insert($0).inserted }
    }

    func index(of id: MemberID) -> Int? {
        members.firstIndex { $0.publicly.id == id }
    }

    /// Whether this applicant has to knock: it is no host, has no seat, and no host has let it in before.
    func hasToKnock(_ applicant: Applicant) -> Bool {
        configuration.hasLobby && applicant.stay.role != .host && index(of: applicant.id) == nil
            && !invites.record.admitted.contains(applicant.id)
    }

    func others(than id: MemberID) -> [Member] {
        members.filter { $0.publicly.id != id }
    }
}
