/// What becomes of ringing one person; the text is that person's name.
package enum RingProgress: Hashable, Sendable {
    package enum CloseReason: String, Hashable, Sendable {
        case notAnswered
        case rejected
        case busy
        /// The caller gave up.
        case hungUp
        /// Was in the call already.
        case inCall
    }

    /// The invite has reached someone of this name; once for each name.
    case isRinging(String)
    /// Nobody of this name waits now; once, until it changes. The ringing goes on.
    case isAbsent(String)
    /// Will come into the room.
    case accepted(String)
    case rejected(String, RingAnswer)
    /// The answer interval ran out; `connectionClosed` follows.
    case userDidNotRespond(String)
    /// This person's part of the call is over.
    case connectionClosed(String, CloseReason)
}
