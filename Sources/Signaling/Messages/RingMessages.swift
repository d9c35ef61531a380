/// Calls someone who waits in the room.
package struct RingInvite: Hashable, Sendable, Codable {
    package var call: RingID
    /// Who is called.
    package var name: String
    /// The caller's dialing interval in seconds: the invite is repeated this often until it is answered.
    package var interval: Double

    package init(call: RingID, name: String, interval: Double) {
        self.call = call
        self.name = name
        self.interval = interval
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(call.rawValue, field: "call")
        try RoomText.checkName(name, field: "name")
        guard interval >= 1, interval <= 60 else {
            throw .invalid(field: "interval", reason: "out of range; 1 to 60 seconds")
        }
    }
}

/// Ends the ringing of one person.
package struct RingCancel: Hashable, Sendable, Codable {
    package var call: RingID
    /// Who is no longer called.
    package var name: String

    package init(call: RingID, name: String) {
        self.call = call
        self.name = name
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(call.rawValue, field: "call")
        try RoomText.checkName(name, field: "name")
    }
}

/// What someone who was rung says.
package enum RingAnswer: String, Hashable, Sendable, Codable {
    case accepted
    case rejected
    case busy
}

/// An answer on its way to the caller.
package struct RingReply: Hashable, Sendable, Codable {
    package var call: RingID
    /// The caller.
    package var to: MemberID
    package var answer: RingAnswer

    package init(call: RingID, to: MemberID, answer: RingAnswer) {
        self.call = call
        self.to = to
        self.answer = answer
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(call.rawValue, field: "call")
        try RoomText.checkIdentifier(to.rawValue, field: "to")
    }
}

/// An invite as the person who is called sees it.
package struct IncomingInvite: Hashable, Sendable, Codable {
    package var call: RingID
    /// The caller.
    package var from: MemberID
    /// The caller's name.
    package var name: String
    /// The caller repeats the invite this often, in seconds.
    package var interval: Double

    package init(call: RingID, from: MemberID, name: String, interval: Double) {
        self.call = call
        self.from = from
        self.name = name
        self.interval = interval
    }

    func check() throws(RoomMessageError) {
        try RingInvite(call: call, name: name, interval: interval).check()
        try RoomText.checkIdentifier(from.rawValue, field: "from")
    }
}

/// The end of an invite as the person who was called sees it.
package struct IncomingCancel: Hashable, Sendable, Codable {
    package var call: RingID
    package var from: MemberID

    package init(call: RingID, from: MemberID) {
        self.call = call
        self.from = from
    }

    func check() throws(RoomMessageError) {
        try RoomText.checkIdentifier(call.rawValue, field: "call")
        try RoomText.checkIdentifier(from.rawValue, field: "from")
    }
}

/// An answer as the caller sees it.
package struct IncomingReply: Hashable, Sendable, Codable {
    package var call: RingID
    /// Who answered.
    package var name: String
    package var answer: RingAnswer

    package init(call: RingID, name: String, answer: RingAnswer) {
        self.call = call
        self.name = name
        self.answer = answer
    }

    func check() throws(RoomMessageError) {
        try RingCancel(call: call, name: name).check()
    }
}

/// What the server did with an invite.
package struct RingReport: Hashable, Sendable, Codable {
    package enum State: String, Hashable, Sendable, Codable {
        /// It was handed to someone of this name.
        case ringing
        /// Nobody of this name waits; the caller goes on trying until the answer interval ends.
        case absent
        /// Someone of this name is in the call already.
        case inCall
    }

    package var call: RingID
    package var name: String
    package var state: State

    package init(call: RingID, name: String, state: State) {
        self.call = call
        self.name = name
        self.state = state
    }

    func check() throws(RoomMessageError) {
        try RingCancel(call: call, name: name).check()
    }
}
