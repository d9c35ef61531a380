/// What a host decides about one person; `id` on the wire.
package enum HostMessage: Hashable, Sendable {
    /// Lets in who knocks.
    case admit(MemberID)
    /// Turns away who knocks.
    case decline(MemberID, reason: String?)
    /// Removes a member, who may not come back by the same invite.
    case kick(MemberID, reason: String?)
    /// Gives a member a new invite, good for so many seconds from now; `nil`: for ever.
    case extend(MemberID, seconds: Double?)

    /// The `type` of the message on the wire.
    package var type: String {
        switch self {
        case .admit: "admit"
        case .decline: "decline"
        case .kick: "kick"
        case .extend: "extend"
        }
    }

    /// Whom it is about.
    var person: MemberID {
        switch self {
        case .admit(let id), .decline(let id, _), .kick(let id, _), .extend(let id, _): id
        }
    }

    /// Reads the payload of a message of `type`; `nil`: no such message.
    init?(type: String, from decoder: any Decoder) throws {
        guard ["admit", "decline", "kick", "extend"].contains(type) else { return nil }
        let fields = try HostFields(from: decoder)
        switch type {
        case "admit": self = .admit(fields.id)
        case "decline": self = .decline(fields.id, reason: fields.reason)
        case "kick": self = .kick(fields.id, reason: fields.reason)
        default: self = .extend(fields.id, seconds: fields.seconds)
        }
    }

    func encodePayload(to encoder: any Encoder) throws {
        var fields = HostFields(id: person)
        switch self {
        case .admit: break
        case .decline(_, let reason), .kick(_, let reason): fields.reason = reason
        case .extend(_, let seconds): fields.seconds = seconds
        }
        try fields.encode(to: encoder)
    }

    /// Checks lengths, characters and ranges.
    package func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(person.rawValue, field: "id")
        switch self {
        case .admit: return
        case .decline(_, let reason), .kick(_, let reason):
            if let reason { try RoomText.check(reason, field: "reason", limit: 255) }
        case .extend(_, let seconds):
            guard let seconds else { return }
            guard RoomProtocol.extensionSeconds.contains(seconds) else {
                throw .invalid(
                    field: "seconds", reason: "out of range; 1 to \(RoomProtocol.extensionSeconds.upperBound)")
            }
        }
    }
}

private struct HostFields: Codable {
    var id: MemberID
    var reason: String?
    var seconds: Double?
}

/// Someone who asks to be let in, as a host sees it.
package struct Knock: Hashable, Sendable, Codable {
    package var id: MemberID
    package var name: String
    package var role: RoomRole
    /// After how many seconds the question is void.
    package var seconds: Double

    package init(id: MemberID, name: String, role: RoomRole, seconds: Double) {
        self.id = id
        self.name = name
        self.role = role
        self.seconds = seconds
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(id.rawValue, field: "id")
        try RoomText.checkName(name, field: "name")
        try RoomProtocol.checkDuration(seconds)
    }
}

/// What became of someone who asked to be let in.
package enum KnockOutcome: String, Hashable, Sendable, Codable, CaseIterable {
    case admitted
    case declined
    /// No host answered in time.
    case unanswered
    /// Gave up.
    case gone
}

/// How long a member may stay from now on.
package struct Renewal: Hashable, Sendable, Codable {
    /// In so many seconds; `nil`: for ever.
    package var expiresIn: Double?
    /// The token to come back with from now on, where the host gave a new one.
    package var token: String?

    package init(expiresIn: Double?, token: String? = nil) {
        self.expiresIn = expiresIn
        self.token = token
    }

    func check() throws(RoomMessageError) {
        if let expiresIn { try RoomProtocol.checkDuration(expiresIn) }
        if let token { try RoomText.check(token, field: "token", limit: 1024) }
    }
}
