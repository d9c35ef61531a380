/// Why there is no authentication string with a peer. Each means that somebody tampers, or that a program is broken.
package enum AuthenticationError: Error, Equatable, CustomStringConvertible {
    /// What the peer revealed is not what it had committed to.
    case revealDoesNotMatch
    /// The peer committed twice, to different values.
    case commitmentChanged
    /// The media come from another certificate than the one that the peer revealed.
    case certificateDiffers
    case malformed(field: String)

    package var description: String {
        "authentication: \(reason); do not trust this connection, leave and join again by a fresh link"
    }

    private var reason: String {
        switch self {
        case .revealDoesNotMatch: "the peer revealed something else than it had committed to"
        case .commitmentChanged: "the peer's commitment changed on its way"
        case .certificateDiffers: "the media come from another certificate than the peer's"
        case .malformed(let field): "the peer's \(field) is malformed"
        }
    }
}
