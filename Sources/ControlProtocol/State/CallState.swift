/// One call.
package struct CallState: Codable, Hashable, Sendable {
    package enum Phase: String, Codable, Hashable, Sendable {
        /// Somebody rings us.
        case ringing
        case dialing
        case connecting
        case connected
        /// The signalling link is lost; media goes on.
        case reconnecting
        case ended
    }

    package enum Role: String, Codable, Hashable, Sendable {
        case host
        case guest
    }

    package var id: String
    /// The room's name.
    package var room: String
    /// The host's address or name.
    package var host: String
    package var role: Role
    package var phase: Phase
    /// Who rings, while ringing.
    package var caller: String?
    /// Milliseconds since 1970, from the first moment of `connected`.
    package var connectedAt: Int?
    package var isHeld = false
    /// Ours in this room.
    package var myId: String
    package var myName: String
    /// Everybody else, by id.
    package var people: [String: Participant] = [:]
    /// Ids in the order of joining; the screen's order.
    package var order: [String] = []
    /// While reconnecting: the try and milliseconds since 1970 of the next one.
    package var reconnectAttempt: Int?
    package var nextReconnectAt: Int?
    /// Milliseconds since 1970 at which the call will be left because nobody else is in it.
    package var aloneLeaveAt: Int?
    /// For hosts: the links to share, best first. Secrets: shown on demand only.
    package var links: [String]?
    /// Names that are being rung.
    package var ringing: [String: RingState] = [:]
    /// The latest messages of the chat by their number, which grows: what was said since this core came.
    package var chat: [String: ChatMessage] = [:]

    package init(id: String, room: String, host: String, role: Role, phase: Phase, myId: String, myName: String) {
        self.id = id
        self.room = room
        self.host = host
        self.role = role
        self.phase = phase
        self.myId = myId
        self.myName = myName
    }
}

/// How ringing one person stands.
package enum RingState: String, Codable, Hashable, Sendable {
    case ringing
    case accepted
    case rejected
    /// Nothing was heard within the answer interval (Q3).
    case noAnswer
    /// Nobody of that name waits in the room.
    case unknown
}

/// Another person in a call.
package struct Participant: Codable, Hashable, Sendable {
    package enum Link: String, Codable, Hashable, Sendable {
        case connecting
        case connected
        /// Silent for 4 s.
        case lost
        /// An ICE restart is under way.
        case restarting
        case failed
    }

    package var id: String
    package var name: String
    package var isHost = false
    package var link = Link.connecting
    /// Muted by that person.
    package var isMuted = false
    /// Held by that person.
    package var isHolding = false
    /// Silenced here.
    package var isSilenced = false
    /// Here; 100 is unchanged.
    package var volumePercent = 100
    /// The authentication string to compare, once both sides have revealed theirs.
    package var authenticationString: String?
    package var isVerified = false
    /// Candidate types and protocol: `host → srflx udp`.
    package var path: String?
    package var isRelayed = false
    /// Whether the link carries chat.
    package var canChat = false
    /// Why the link failed.
    package var reason: String?

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
