/// Something that happened: a line for the message area, for `hoot ctl watch` and for line mode.
package struct EventUpdate: Codable, Hashable, Sendable {
    /// What happened; scripts match on it.
    package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        case callStarted
        case callConnected
        case callEnded
        case callRinging
        case callReconnecting
        case callReconnected
        case memberJoined
        case memberLeft
        case memberMuted
        case memberUnmuted
        case memberHeld
        case memberResumed
        case memberLost
        case memberReturned
        /// Somebody wrote, here or elsewhere; `message` is what.
        case chat
        case ringing
        /// FEATURES' `userDidNotRespond` (Q3); `connectionClosed` for the same person follows (Q4).
        case userDidNotRespond
        case connectionClosed
        case ringRejected
        case microphone
        case hold
        case route
        case device
        case soundServer
        case verification
        case console
        case warning
    }

    /// Milliseconds since 1970.
    package var time: Int
    package var kind: Kind
    package var call: String?
    package var participant: String?
    /// One sentence for people.
    package var text: String
    /// Of a chat: the message as it was written.
    package var message: String?

    package init(
        time: Int, kind: Kind, call: String? = nil, participant: String? = nil, text: String, message: String? = nil
    ) {
        self.message = message
        self.time = time
        self.kind = kind
        self.call = call
        self.participant = participant
        self.text = text
    }
}
