/// Where a call's sound goes: the two states of Q43.
package enum AudioRoute: String, Hashable, Sendable {
    /// The loud output.
    case speaker
    /// The private one: a handset, an earpiece, a headset or headphones (Q41).
    case receiver
}

/// What a call is; it decides the default route (A36.3).
package enum CallMode: String, Hashable, Sendable {
    case voice
    case video

    package var defaultRoute: AudioRoute {
        self == .voice ? .receiver : .speaker
    }
}
