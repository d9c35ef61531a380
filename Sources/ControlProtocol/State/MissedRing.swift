/// Somebody who rang in vain.
package struct MissedRing: Codable, Hashable, Sendable {
    package var caller: String
    package var room: String
    /// Milliseconds since 1970.
    package var rangAt: Int

    package init(caller: String, room: String, rangAt: Int) {
        self.caller = caller
        self.room = room
        self.rangAt = rangAt
    }
}
