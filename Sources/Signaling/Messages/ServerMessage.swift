/// What a room's server says to a client.
package enum ServerMessage: Hashable, Sendable {
    case welcome(Welcome)
    case refused(Refusal)
    case joined(RoomMember)
    case left(id: MemberID, reason: LeaveReason)
    /// The names that can be rung now.
    case waiting(names: [String])
    case relay(from: MemberID, PeerMessage)
    case ring(IncomingInvite)
    case ringCancel(IncomingCancel)
    case ringAnswer(IncomingReply)
    case ringState(RingReport)
    /// You knock at this room, and its hosts have been asked: one of them answers within so many seconds, or nobody.
    case lobby(room: String, seconds: Double)
    /// To hosts: someone asks to be let in.
    case knock(Knock)
    case knockOver(MemberID, KnockOutcome)
    /// Your time here is over in so many seconds.
    case expiring(seconds: Double)
    case renewed(Renewal)
    /// To hosts: a member asks for more time.
    case renewalWanted(MemberID)
    /// One message was not taken; the connection stays.
    case error(Refusal, about: String)
    case closing(reason: String)
    case ping(number: Int)
    case pong(number: Int)
}

extension ServerMessage: RoomWireMessage {
    package var isDescription: Bool {
        if case .relay(_, let message) = self { message.isDescription } else { false }
    }

    package init(from decoder: any Decoder) throws {
        let type = try MessageType.read(from: decoder)
        switch type {
        case "welcome": self = .welcome(try Welcome(from: decoder))
        case "refused": self = .refused(try Refusal(from: decoder))
        case "joined": self = .joined(try JoinedFields(from: decoder).member)
        case "left":
            let fields = try LeftFields(from: decoder)
            self = .left(id: fields.id, reason: fields.reason)
        case "waiting": self = .waiting(names: try WaitingFields(from: decoder).names)
        case "ring": self = .ring(try IncomingInvite(from: decoder))
        case "ringCancel": self = .ringCancel(try IncomingCancel(from: decoder))
        case "ringAnswer": self = .ringAnswer(try IncomingReply(from: decoder))
        case "ringState": self = .ringState(try RingReport(from: decoder))
        case "lobby":
            let fields = try LobbyFields(from: decoder)
            self = .lobby(room: fields.room, seconds: fields.seconds)
        case "knock": self = .knock(try Knock(from: decoder))
        case "knockOver":
            let fields = try KnockOverFields(from: decoder)
            self = .knockOver(fields.id, fields.outcome)
        case "expiring": self = .expiring(seconds: try ExpiringFields(from: decoder).seconds)
        case "renewed": self = .renewed(try Renewal(from: decoder))
        case "renewalWanted": self = .renewalWanted(try RenewalWantedFields(from: decoder).id)
        case "error": self = .error(try Refusal(from: decoder), about: try ErrorFields(from: decoder).about)
        case "closing": self = .closing(reason: try ClosingFields(from: decoder).reason)
        case "ping": self = .ping(number: try PingFields(from: decoder).number)
        case "pong": self = .pong(number: try PingFields(from: decoder).number)
        default:
            guard let message = try PeerMessage(type: type, from: decoder) else { throw MessageType.unknown(type) }
            self = .relay(from: try Sender(from: decoder).from, message)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try MessageType.write(type, to: encoder)
        switch self {
        case .welcome(let payload): try payload.encode(to: encoder)
        case .refused(let payload): try payload.encode(to: encoder)
        case .joined(let member): try JoinedFields(member: member).encode(to: encoder)
        case .left(let id, let reason): try LeftFields(id: id, reason: reason).encode(to: encoder)
        case .waiting(let names): try WaitingFields(names: names).encode(to: encoder)
        case .ring(let payload): try payload.encode(to: encoder)
        case .ringCancel(let payload): try payload.encode(to: encoder)
        case .ringAnswer(let payload): try payload.encode(to: encoder)
        case .ringState(let payload): try payload.encode(to: encoder)
        case .lobby(let room, let seconds): try LobbyFields(room: room, seconds: seconds).encode(to: encoder)
        case .knock(let payload): try payload.encode(to: encoder)
        case .knockOver(let id, let outcome): try KnockOverFields(id: id, outcome: outcome).encode(to: encoder)
        case .expiring(let seconds): try ExpiringFields(seconds: seconds).encode(to: encoder)
        case .renewed(let payload): try payload.encode(to: encoder)
        case .renewalWanted(let id): try RenewalWantedFields(id: id).encode(to: encoder)
        case .error(let payload, let about):
            try payload.encode(to: encoder)
            try ErrorFields(about: about).encode(to: encoder)
        case .closing(let reason): try ClosingFields(reason: reason).encode(to: encoder)
        case .ping(let number), .pong(let number): try PingFields(number: number).encode(to: encoder)
        case .relay(let from, let message):
            try Sender(from: from).encode(to: encoder)
            try message.encodePayload(to: encoder)
        }
    }

    /// The `type` of the message on the wire.
    package var type: String {
        switch self {
        case .welcome: "welcome"
        case .refused: "refused"
        case .joined: "joined"
        case .left: "left"
        case .waiting: "waiting"
        case .relay(_, let message): message.type
        case .ring: "ring"
        case .ringCancel: "ringCancel"
        case .ringAnswer: "ringAnswer"
        case .ringState: "ringState"
        case .lobby: "lobby"
        case .knock: "knock"
        case .knockOver: "knockOver"
        case .expiring: "expiring"
        case .renewed: "renewed"
        case .renewalWanted: "renewalWanted"
        case .error: "error"
        case .closing: "closing"
        case .ping: "ping"
        case .pong: "pong"
        }
    }

    package func check() throws(RoomMessageError) {
        switch self {
        case .welcome(let payload): try payload.check()
        case .refused(let payload): try payload.check()
        case .joined(let member): try member.check()
        case .left(let id, _): try RoomText.checkIdentifier(id.rawValue, field: "id")
        case .waiting(let names): try Self.checkNames(names)
        case .ring(let payload): try payload.check()
        case .ringCancel(let payload): try payload.check()
        case .ringAnswer(let payload): try payload.check()
        case .ringState(let payload): try payload.check()
        case .lobby(let room, let seconds):
            try RoomText.checkName(room, field: "room")
            try RoomProtocol.checkDuration(seconds)
        case .knock(let payload): try payload.check()
        case .knockOver(let id, _), .renewalWanted(let id): try RoomText.checkIdentifier(id.rawValue, field: "id")
        case .expiring(let seconds): try RoomProtocol.checkDuration(seconds)
        case .renewed(let payload): try payload.check()
        case .error(let payload, let about):
            try payload.check()
            try RoomText.check(about, field: "about", limit: 64)
        case .closing(let reason): try RoomText.check(reason, field: "reason", limit: 512)
        case .ping, .pong: return
        case .relay(let from, let message):
            try RoomText.checkIdentifier(from.rawValue, field: "from")
            try message.check()
        }
    }

    static func checkNames(_ names: [String]) throws(RoomMessageError) {
        guard names.count <= 256 else { throw .invalid(field: "names", reason: "has more than 256 entries") }
        for name in names {
            try RoomText.checkName(name, field: "names")
        }
    }
}

private struct Sender: Codable {
    var from: MemberID
}

private struct JoinedFields: Codable {
    var member: RoomMember
}

private struct LeftFields: Codable {
    var id: MemberID
    var reason: LeaveReason
}

private struct WaitingFields: Codable {
    var names: [String]
}

private struct LobbyFields: Codable {
    var room: String
    var seconds: Double
}

private struct KnockOverFields: Codable {
    var id: MemberID
    var outcome: KnockOutcome
}

private struct ExpiringFields: Codable {
    var seconds: Double
}

private struct RenewalWantedFields: Codable {
    var id: MemberID
}

private struct ErrorFields: Codable {
    var about: String
}

private struct ClosingFields: Codable {
    var reason: String
}
