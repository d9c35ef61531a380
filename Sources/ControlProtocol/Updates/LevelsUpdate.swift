/// How loud everybody is: 10 times a second to the consoles that asked, never part of the state.
package struct LevelsUpdate: Codable, Hashable, Sendable {
    /// dBov, −127…0; −127 is silence. The microphone's, also while muted.
    package var microphone: Int?
    /// dBov by participant id, of the active call.
    package var people: [String: Int] = [:]
    /// The dominant speaker's id; `me` is the person here.
    package var speaking: String?
    /// Who spoke last, while nobody does, and how many seconds ago.
    package var lastSpeaker: String?
    package var lastSpokeSeconds: Int?

    package init() {}
}
