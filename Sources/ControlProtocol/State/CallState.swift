/// One call.
package struct CallState: Codable, Hashable, Sendable {
    package enum Phase: String, Codable, Hashable, Sendable {
        /// Somebody rings us.
        case ringing
        case dialing
        case connecting
        /// In the room's lobby: a host has been asked.
        case knocking
        case connected
        /// The signalling link is lost; media goes on.
        case reconnecting
        case ended
    }

    package enum Role: String, Codable, Hashable, Sendable {
        case host
        case guest
        /// Hears and writes, and cannot be heard.
        case listener
    }

    /// How long the room's server has not been heard, in steps; media go on.
    package enum Outage: String, Codable, Hashable, Sendable {
        /// For 4 s.
        case interrupted
        /// For 10 s.
        case lost
        /// For 20 min: it is not looked for any more.
        case gaveUp
    }

    package var id: String
    /// The room's name.
    package var room: String
    /// The host's address or name.
    package var host: String
    package var role: Role
    /// Whether this core serves the room; absent from a core of version 1.
    package var isServedHere: Bool?
    package var phase: Phase
    /// Who rings, while ringing.
    package var caller: String?
    /// While ringing: milliseconds since 1970 at which it is given up.
    package var ringsUntil: Int?
    /// Milliseconds since 1970, from the first moment of `connected`.
    package var connectedAt: Int?
    package var isHeld = false
    /// While it is recorded here.
    package var recording: RecordingState?
    /// Ours in this room.
    package var myId: String
    package var myName: String
    /// Everybody else, by id.
    package var people: [String: Participant] = [:]
    /// Ids in the order of joining; the screen's order.
    package var order: [String] = []
    /// While the room's server is not heard.
    package var outage: Outage?
    /// While the room's server is not heard: milliseconds since 1970 of its last word.
    package var lastHeardAt: Int?
    /// Milliseconds since 1970 at which our time in the room is over.
    package var expiresAt: Int?
    /// For hosts: who asks to be let in, in the order of asking.
    package var knocks: [KnockState]?
    /// While reconnecting: the try and milliseconds since 1970 of the next one.
    package var reconnectAttempt: Int?
    package var nextReconnectAt: Int?
    /// Milliseconds since 1970 at which the call will be left because nobody else is in it.
    package var aloneLeaveAt: Int?
    /// For hosts: the links to share, best first. Secrets: shown on demand only.
    package var links: [String]?
    /// Names that are being rung.
    package var ringing: [String: RingState] = [:]
    /// Names that wait in the room and can be rung; absent: nobody does.
    package var waiting: [String]?
    /// The latest messages of the chat by their number, which grows: what was said since this core came.
    package var chat: [String: ChatMessage] = [:]

    /// Who waits in the room and is not being rung.
    package var waitingNames: [String] {
        (waiting ?? []).filter { ringing[$0] == nil }
    }

    /// The names of those who record the call.
    package var recorders: [String] {
        order.compactMap { people[$0] }.filter { $0.isRecording == true }.map(\.name)
    }

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

/// Somebody who asks to be let into a room.
package struct KnockState: Codable, Hashable, Sendable {
    package var id: String
    package var name: String
    /// What they would be.
    package var role: CallState.Role
    /// Milliseconds since 1970 at which the question is void.
    package var until: Int

    package init(id: String, name: String, role: CallState.Role, until: Int) {
        self.id = id
        self.name = name
        self.role = role
        self.until = until
    }
}

/// What somebody shows.
package enum VideoShown: String, Codable, Hashable, Sendable {
    case camera
    /// A screen, a terminal or a file: never mirrored.
    case share
    /// Nothing at the moment, and says so.
    case off
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
    /// Serves the room, so that nobody can remove it; absent: does not, or it is not told.
    package var serves: Bool?
    /// Cannot be heard; absent: can.
    package var isListener: Bool?
    /// For hosts: asks for more time; absent: does not.
    package var wantsTime: Bool?
    package var link = Link.connecting
    /// Muted by that person.
    package var isMuted = false
    /// Held by that person.
    package var isHolding = false
    /// Records the call; absent: does not.
    package var isRecording: Bool?
    /// What that person shows; absent: has shown nothing in this call, or cannot.
    package var video: VideoShown?
    /// Whose picture is not received here; absent: it is, when a screen shows it.
    package var isHidden: Bool?
    /// Whose picture goes before everybody else's; absent: another one's does, or nobody's.
    package var isPrioritized: Bool?
    /// What is received; absent: nothing.
    package var picture: PictureState?
    /// Why our picture is not sent there although it is wanted; absent: it is, or is not wanted.
    package var unsentReason: String?
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
