import ControlProtocol

/// The page of links and invites.
package struct InvitePage: Hashable, Sendable {
    /// One invite to the room. What its link is, is told once: to whom made it.
    struct Row: Hashable, Sendable {
        var number: Int
        var role: String
        var isSingleUse: Bool
        /// Milliseconds since 1970; `nil`: never.
        var expiresAt: Int?
        /// Who came in by one that is for one person.
        var usedBy: String?
        /// Whether it is the room's own link.
        var isRoomLink: Bool

        /// `nil`: what `room.invite` or `room.invites` told cannot be read.
        init?(_ value: JSONValue) {
            guard case .integer(let number) = value["invite"], let role = value["role"]?.stringValue else { return nil }
            self.number = number
            self.role = role
            isSingleUse = value["uses"] == .integer(1)
            if case .integer(let time) = value["expiresAt"] { expiresAt = time }
            usedBy = value["usedBy"]?.stringValue
            isRoomLink = value["isRoomLink"] == .bool(true)
        }
    }

    /// The room's own link first; empty until the core has told, and where the room is not served here.
    private(set) var rows: [Row] = []
    /// The selected row, and which of its addresses is shown.
    var selection = 0
    var address = 0
    /// The link that was sent to the clipboard last.
    var copied: String?

    var selected: Row? { rows.indices.contains(selection) ? rows[selection] : nil }

    /// Takes the answer of `room.invites`; the selection stays with its invite.
    mutating func load(_ answer: JSONValue) {
        guard case .array(let items) = answer["invites"] else { return }
        let number = selected?.number
        let all = items.compactMap(Row.init)
        rows = all.filter(\.isRoomLink) + all.filter { !$0.isRoomLink }
        selection = number.flatMap { number in rows.firstIndex { $0.number == number } } ?? 0
    }

    /// Selects an invite; `false`: it is not among them.
    mutating func select(_ number: Int) -> Bool {
        guard let index = rows.firstIndex(where: { $0.number == number }) else { return false }
        (selection, address) = (index, 0)
        return true
    }
}

/// An invite that is being made.
package struct InviteForm: Hashable, Sendable {
    static let roles = ["guest", "listener", "host"]
    static let uses: [(words: String, count: Int)] = [("anybody who has it", 0), ("one person", 1)]
    static let lifetimes: [(words: String, seconds: Int?)] = [
        ("for ever", nil), ("one hour", 3600), ("one day", 86_400), ("one week", 604_800),
    ]

    /// The chosen value of each row.
    private(set) var choices = [0, 0, 0]
    var selection = 0

    var role: String { Self.roles[choices[0]] }

    /// Names and values of the rows.
    var rows: [(name: String, value: String)] {
        [
            ("comes in as", role), ("for", Self.uses[choices[1]].words),
            ("valid", Self.lifetimes[choices[2]].words),
        ]
    }

    /// The parameters of `room.invite`.
    var params: [String: JSONValue] {
        var params: [String: JSONValue] = ["role": .string(role), "uses": .integer(Self.uses[choices[1]].count)]
        params["expires"] = Self.lifetimes[choices[2]].seconds.map { .integer($0) }
        return params
    }

    /// Changes the selected row to its next value, or to the one before.
    mutating func change(_ step: Int) {
        let count = [Self.roles.count, Self.uses.count, Self.lifetimes.count][selection]
        choices[selection] = (choices[selection] + step + count) % count
    }
}
