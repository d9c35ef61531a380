/// What the engine asks of the sound server besides streams. All of it holds for every program of the user.
package enum ServerCommand: Hashable, Sendable {
    case setSinkPort(sink: String, port: String)
    case setCardProfile(card: String, profile: String)
    case setSourceMuted(source: String, isMuted: Bool)
    case setSinkMuted(sink: String, isMuted: Bool)
    /// 1 is the server's 100 %.
    case setSourceVolume(source: String, volume: Double)
    case setSinkVolume(sink: String, volume: Double)
}
