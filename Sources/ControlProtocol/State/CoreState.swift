/// Everything that a console shows, as the core holds it. Consoles receive it whole once and then as merge patches.
///
/// No member is ever encoded as null (RFC 7396): what is absent is left out.
package struct CoreState: Codable, Hashable, Sendable {
    package var core = CoreDescription()
    package var audio = AudioState()
    package var video = VideoState()
    /// The calls by id, ended ones not included.
    package var calls: [String: CallState] = [:]
    /// The call that has the devices.
    package var activeCall: String?
    /// How the last call ended; absent: none has.
    package var lastEnd: CallEnd?
    /// Rooms that this core waits in, by room name, with the name to ring.
    package var waiting: [String: WaitingState] = [:]
    /// Rooms that are open here though this core has left them; absent: none.
    package var leftOpen: [String]?
    /// Who rang in vain since the last console went, the newest last.
    package var missed: [MissedRing]?
    /// Rooms to go back to, newest first.
    package var recentRooms: [RecentRoom] = []
    /// What is missing or wrong, each with what mends it.
    package var problems: [Problem] = []

    package init() {}
}

/// The core itself.
package struct CoreDescription: Codable, Hashable, Sendable {
    package var protocolVersion = ProtocolVersion.current
    package var version = ""
    package var pid = 0
    /// The name of the machine.
    package var host = ""
    /// Milliseconds since 1970.
    package var startedAt = 0
    /// Consoles that a person sits at.
    package var consoles = 0
    package var onDetach = DetachPolicy.keep
    package var onLost = DetachPolicy.keep

    package init() {}
}

/// What happens to the call when its last console goes.
package enum DetachPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    case keep
    case mute
    case hold
    case leave
}

/// A room that this core can be rung in.
package struct WaitingState: Codable, Hashable, Sendable {
    /// The name to ring.
    package var name: String
    /// The address of the room's host.
    package var host: String
    /// Whether the host can be reached at the moment.
    package var isConnected: Bool

    package init(name: String, host: String, isConnected: Bool) {
        self.name = name
        self.host = host
        self.isConnected = isConnected
    }
}

/// A room of the past or a saved one. Its link, which carries a secret, stays in the core: `call.join` takes the name.
package struct RecentRoom: Codable, Hashable, Sendable {
    package var name: String
    package var host: String
    /// Milliseconds since 1970.
    package var lastJoinedAt: Int
    /// Whether it was saved by a name of the user's.
    package var isSaved: Bool

    package init(name: String, host: String, lastJoinedAt: Int, isSaved: Bool) {
        self.name = name
        self.host = host
        self.lastJoinedAt = lastJoinedAt
        self.isSaved = isSaved
    }
}

extension [RecentRoom] {
    /// What `call.join` takes for each: its name, with its host behind it where a newer room has the same.
    package var addresses: [String] {
        indices.map { index in
            let room = self[index]
            return self[..<index].contains { $0.name == room.name } ? "\(room.name)@\(room.host)" : room.name
        }
    }
}

/// Something that is missing or wrong, as a state and not as a failure.
package struct Problem: Codable, Hashable, Sendable {
    /// A stable word for scripts, dotted: `audio.server`, `audio.source`, `session.linger`.
    package var code: String
    /// What and why, in one line.
    package var text: String
    /// The one command that mends it.
    package var command: String?

    package init(code: String, text: String, command: String? = nil) {
        self.code = code
        self.text = text
        self.command = command
    }
}
