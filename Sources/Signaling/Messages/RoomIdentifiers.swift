/// A member of a room, as the room's server names it: derived from the member's secret identity, so the same client
/// gets the same id from a server that was started anew.
package struct MemberID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ value: String) {
        rawValue = value
    }

    package var description: String {
        rawValue
    }
}

/// One act of ringing: however often its invite is repeated, it is one call (Q5).
package struct RingID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ value: String) {
        rawValue = value
    }

    package var description: String {
        rawValue
    }
}
