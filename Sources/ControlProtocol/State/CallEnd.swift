/// How a call ended.
package struct CallEnd: Codable, Hashable, Sendable {
    package var room: String
    /// The host's address or name.
    package var host: String
    /// In words.
    package var reason: String
    /// Milliseconds since 1970.
    package var endedAt: Int
    /// Whether it was left by a key or a verb, so that whoever did it knows.
    package var wasLeft: Bool
    /// Seconds from the moment it was connected; absent: it never was.
    package var duration: Int?
    /// The means over the call of what was lost on the way here, in per cent, and of the estimated opinion score.
    package var lossPercent: Double?
    package var mos: Double?
    /// The file with its figures, second by second.
    package var figuresPath: String?

    package init(room: String, host: String, reason: String, endedAt: Int, wasLeft: Bool) {
        self.room = room
        self.host = host
        self.reason = reason
        self.endedAt = endedAt
        self.wasLeft = wasLeft
    }
}
