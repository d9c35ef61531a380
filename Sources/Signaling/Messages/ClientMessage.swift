/// What a client says to a room's server.
package enum ClientMessage: Hashable, Sendable {
    case hello(Hello)
    /// For one member, or with `to` absent for all others.
    case relay(to: MemberID?, PeerMessage)
    /// Calls everyone of this name who waits in the room; repeated at each dialing interval.
    case ring(RingInvite)
    case ringCancel(RingCancel)
    case ringAnswer(RingReply)
    /// From someone who waits: come into the call.
    case enter
    /// What only a host may decide.
    case host(HostMessage)
    /// Presents a new token on the same connection, or without one asks the hosts for more time.
    case renew(token: String?)
    /// `closes`: end the room for everyone; only a host may.
    case leave(closes: Bool)
    case ping(number: Int)
    case pong(number: Int)
}

/// The first message of a connection.
package struct Hello: Hashable, Sendable, Codable {
    package enum Intent: String, Hashable, Sendable, Codable {
        /// Take part in the call.
        case join
        /// Be reachable by `ring`, without taking part.
        case wait
    }

    package var version: Int
    package var room: String
    package var token: String
    package var name: String
    /// A secret of the client, never told to others: who shows it again is the same person.
    package var identity: String
    /// Drawn anew for every call: the same identity with the same session continues a call, with another one it
    /// replaces it.
    package var session: String
    package var intent: Intent
    /// What the client can do, in words that later versions define.
    package var capabilities: [String]

    package init(
        room: String, token: String, name: String, identity: String, session: String, intent: Intent = .join,
        capabilities: [String] = [], version: Int = RoomProtocol.version
    ) {
        self.version = version
        self.room = room
        self.token = token
        self.name = name
        self.identity = identity
        self.session = session
        self.intent = intent
        self.capabilities = capabilities
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        version = try fields.decode(Int.self, forKey: .version)
        room = try fields.decode(String.self, forKey: .room)
        token = try fields.decodeIfPresent(String.self, forKey: .token) ?? ""
        name = try fields.decode(String.self, forKey: .name)
        identity = try fields.decode(String.self, forKey: .identity)
        session = try fields.decode(String.self, forKey: .session)
        intent = try fields.decodeIfPresent(Intent.self, forKey: .intent) ?? .join
        capabilities = try fields.decodeIfPresent([String].self, forKey: .capabilities) ?? []
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkName(room, field: "room")
        try RoomText.checkName(name, field: "name")
        try RoomText.check(token, field: "token", limit: 1024)
        try RoomText.checkIdentifier(identity, field: "identity", least: 16, limit: 128)
        try RoomText.checkIdentifier(session, field: "session")
        guard capabilities.count <= 32 else {
            throw .invalid(field: "capabilities", reason: "has more than 32 entries")
        }
        for capability in capabilities {
            try RoomText.checkIdentifier(capability, field: "capabilities")
        }
    }
}

extension ClientMessage: RoomWireMessage {
    package var isDescription: Bool {
        if case .relay(_, let message) = self { message.isDescription } else { false }
    }

    package init(from decoder: any Decoder) throws {
        let type = try MessageType.read(from: decoder)
        switch type {
        case "hello": self = .hello(try Hello(from: decoder))
        case "ring": self = .ring(try RingInvite(from: decoder))
        case "ringCancel": self = .ringCancel(try RingCancel(from: decoder))
        case "ringAnswer": self = .ringAnswer(try RingReply(from: decoder))
        case "enter": self = .enter
        case "renew": self = .renew(token: try RenewFields(from: decoder).token)
        case "leave": self = .leave(closes: try LeaveFields(from: decoder).closes ?? false)
        case "ping": self = .ping(number: try PingFields(from: decoder).number)
        case "pong": self = .pong(number: try PingFields(from: decoder).number)
        default:
            if let message = try HostMessage(type: type, from: decoder) {
                self = .host(message)
            } else if let message = try PeerMessage(type: type, from: decoder) {
                self = .relay(to: try Addressee(from: decoder).to, message)
            } else {
                throw MessageType.unknown(type)
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try MessageType.write(type, to: encoder)
        switch self {
        case .hello(let payload): try payload.encode(to: encoder)
        case .ring(let payload): try payload.encode(to: encoder)
        case .ringCancel(let payload): try payload.encode(to: encoder)
        case .ringAnswer(let payload): try payload.encode(to: encoder)
        case .enter: return
        case .host(let payload): try payload.encodePayload(to: encoder)
        case .renew(let token): try RenewFields(token: token).encode(to: encoder)
        case .leave(let closes): try LeaveFields(closes: closes ? true : nil).encode(to: encoder)
        case .ping(let number), .pong(let number): try PingFields(number: number).encode(to: encoder)
        case .relay(let to, let message):
            try Addressee(to: to).encode(to: encoder)
            try message.encodePayload(to: encoder)
        }
    }

    /// The `type` of the message on the wire.
    package var type: String {
        switch self {
        case .hello: "hello"
        case .relay(_, let message): message.type
        case .ring: "ring"
        case .ringCancel: "ringCancel"
        case .ringAnswer: "ringAnswer"
        case .enter: "enter"
        case .host(let message): message.type
        case .renew: "renew"
        case .leave: "leave"
        case .ping: "ping"
        case .pong: "pong"
        }
    }

    package func check() throws(RoomMessageError) {
        switch self {
        case .hello(let payload): try payload.check()
        case .ring(let payload): try payload.check()
        case .ringCancel(let payload): try payload.check()
        case .ringAnswer(let payload): try payload.check()
        case .host(let payload): try payload.check()
        case .renew(let token): if let token { try RoomText.check(token, field: "token", limit: 1024) }
        case .enter, .leave, .ping, .pong: return
        case .relay(let to, let message):
            if let to {
                try RoomText.checkIdentifier(to.rawValue, field: "to")
            } else if message.needsAddressee {
                throw .malformed("the field \"to\" is missing")
            }
            try message.check()
        }
    }
}

private struct Addressee: Codable {
    var to: MemberID?
}

private struct RenewFields: Codable {
    var token: String?
}

private struct LeaveFields: Codable {
    var closes: Bool?
}

struct PingFields: Codable {
    var number: Int
}
