internal import Primitives

/// The server's answer to a `hello` that it takes.
package struct Welcome: Hashable, Sendable, Codable {
    /// What the server takes.
    package struct Limits: Hashable, Sendable, Codable {
        /// How many people the call holds.
        package var seats: Int
        /// The longest message in bytes, except a description.
        package var messageBytes: Int
        /// The longest description in bytes.
        package var descriptionBytes: Int
        /// The server's ping interval in seconds.
        package var pingSeconds: Double

        package init(seats: Int, messageBytes: Int, descriptionBytes: Int, pingSeconds: Double) {
            self.seats = seats
            self.messageBytes = messageBytes
            self.descriptionBytes = descriptionBytes
            self.pingSeconds = pingSeconds
        }
    }

    /// The client's own id.
    package var id: MemberID
    /// Drawn when the server started: another value says that it was started anew and knows no earlier members.
    package var server: String
    package var room: String
    package var role: RoomRole
    /// Whether the server still knew this session: the call goes on where it was.
    package var resumed: Bool
    /// Everyone else in the call; empty for someone who waits.
    package var members: [RoomMember]
    /// The names that can be rung.
    package var waiting: [String]
    package var iceServers: [ICEServer]
    package var limits: Limits
    /// How long the client may stay, in seconds; `nil`: for ever.
    package var expiresIn: Double?

    package init(
        id: MemberID, server: String, room: String, role: RoomRole, resumed: Bool, members: [RoomMember],
        waiting: [String], iceServers: [ICEServer], limits: Limits, expiresIn: Double? = nil
    ) {
        self.id = id
        self.server = server
        self.room = room
        self.role = role
        self.resumed = resumed
        self.members = members
        self.waiting = waiting
        self.iceServers = iceServers
        self.limits = limits
        self.expiresIn = expiresIn
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(id.rawValue, field: "id")
        try RoomText.checkIdentifier(server, field: "server")
        try RoomText.checkName(room, field: "room")
        guard members.count <= 256 else { throw .invalid(field: "members", reason: "has more than 256 entries") }
        for member in members {
            try member.check()
        }
        try ServerMessage.checkNames(waiting)
        guard iceServers.count <= 16 else { throw .invalid(field: "iceServers", reason: "has more than 16 entries") }
        for server in iceServers {
            try server.check()
        }
        if let expiresIn { try RoomProtocol.checkDuration(expiresIn) }
    }
}

/// One member as the others see it.
package struct RoomMember: Hashable, Sendable, Codable {
    package var id: MemberID
    /// The member's call: another session under the same id is a new peer.
    package var session: String
    package var name: String
    package var role: RoomRole
    package var status: MemberStatus
    package var capabilities: [String]
    /// Whether it serves the room, so that nobody can remove it; the server says so, where it is.
    package var serves: Bool?

    package init(
        id: MemberID, session: String, name: String, role: RoomRole, status: MemberStatus = MemberStatus(),
        capabilities: [String] = [], serves: Bool? = nil
    ) {
        self.id = id
        self.session = session
        self.name = name
        self.role = role
        self.status = status
        self.capabilities = capabilities
        self.serves = serves
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(id.rawValue, field: "id")
        try RoomText.checkIdentifier(session, field: "session")
        try RoomText.checkName(name, field: "name")
        guard capabilities.count <= 32 else {
            throw .invalid(field: "capabilities", reason: "has more than 32 entries")
        }
        for capability in capabilities {
            try RoomText.checkIdentifier(capability, field: "capabilities")
        }
    }
}

/// A STUN or TURN server, in the words of W3C `RTCIceServer`.
package struct ICEServer: Hashable, Sendable, Codable {
    package var urls: [String]
    package var username: String?
    package var credential: String?

    package init(urls: [String], username: String? = nil, credential: String? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }

    func check() throws(RoomMessageError) {
        guard urls.count <= 16 else { throw .invalid(field: "urls", reason: "has more than 16 entries") }
        for text in urls + [username, credential].compactMap({ $0 }) {
            try RoomText.check(text, field: "iceServers", limit: 1024)
        }
    }
}

/// Why a member is no longer in the call.
package enum LeaveReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// It said goodbye.
    case left
    /// Its connection broke and did not come back in time.
    case lost
    /// The same identity joined with a new session.
    case replaced
    /// It did not read what it was sent.
    case tooSlow
    /// It broke the protocol or its limits.
    case misbehaved
    /// A host removed it, or withdrew the link that it came by.
    case removed
    /// Its time was over.
    case expired
    /// The server was started anew and the member did not come back to it.
    case notReturned
}

/// Why a connection or a message was not taken.
package struct Refusal: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    package var code: RefusalCode
    /// One line for a person: what, why, what to do.
    package var reason: String

    package init(_ code: RefusalCode, _ reason: String) {
        self.code = code
        self.reason = reason.cleaned(limit: 512)
    }

    package init(_ error: RoomMessageError) {
        self.init(error.code, error.description)
    }

    package var description: String {
        reason
    }

    func check() throws(RoomMessageError) {
        try RoomText.check(reason, field: "reason", limit: 512)
    }
}

package enum RefusalCode: String, Hashable, Sendable, Codable, CaseIterable {
    /// No such room, or the token is absent or not genuine: which of these is not told.
    case notAdmitted
    /// The token is genuine, and its time is over.
    case expired
    /// The token is genuine, was for one person, and somebody else has used it.
    case used
    /// The token is genuine, and the host has withdrawn it.
    case revoked
    /// A host has removed this person.
    case removed
    /// A host does not let this person in.
    case declined
    /// No host answered the knock in time.
    case noAnswer
    case roomFull
    case version
    case malformed
    case unknownType
    case invalid
    case tooLong
    /// `hello` did not come in time.
    case tooLate
    /// Too many messages or bytes a second.
    case rate
    case tooSlow
    /// The same identity came in by another connection.
    case replaced
    /// The message is not for this moment or this role.
    case notAllowed
    case unknownMember
    case roomClosed
}
