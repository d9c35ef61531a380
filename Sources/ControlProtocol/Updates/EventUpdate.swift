/// Something that happened: a line for the message area, for `hoot ctl watch` and for line mode.
package struct EventUpdate: Codable, Hashable, Sendable {
    /// What happened; scripts match on it.
    package enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        case callStarted
        case callConnected
        case callEnded
        case callRinging
        /// We knock at a room.
        case knocking
        /// The room's server has not been heard for 4 s; media go on (FEATURES A5.9).
        case interrupted
        /// Nor for 10 s.
        case lost
        /// The room's server is heard again.
        case rejoined
        /// Somebody knocks at a room of which we are a host.
        case knock
        case knockOver
        /// Our time in the room is over in 30 s (FEATURES A12).
        case expiring
        case renewed
        /// A member asks a host for more time.
        case renewalWanted
        case memberJoined
        case memberLeft
        case memberMuted
        case memberUnmuted
        case memberHeld
        case memberResumed
        case memberVideoOn
        case memberVideoOff
        /// Somebody begins to record the call, or did before one of us came; then ends.
        case memberRecordingOn
        case memberRecordingOff
        /// The network carries less of a picture than is wished, ours or somebody's, or all of it again (A165, A166).
        case videoLimited
        case videoRestored
        /// The camera or another source came, went or changed.
        case camera
        case memberLost
        case memberReturned
        /// Somebody wrote, here or elsewhere; `message` is what.
        case chat
        /// Somebody begins to wait in the room, and can be rung.
        case memberWaits
        case ringing
        /// FEATURES' `userDidNotRespond` (Q3); `connectionClosed` for the same person follows (Q4).
        case userDidNotRespond
        case connectionClosed
        case ringRejected
        case microphone
        case hold
        /// A recording begins here, or has ended.
        case recording
        case route
        case device
        case soundServer
        /// This machine has come into another network.
        case network
        case verification
        /// A moment was marked with a word.
        case note
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
