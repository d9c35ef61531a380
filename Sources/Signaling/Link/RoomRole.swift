/// What a person may do in a room.
package enum RoomRole: UInt8, Sendable, CaseIterable {
    case guest = 0
    /// Lets people in, removes them, and may close the room.
    case host = 1
    /// Hears and writes, and is not heard: nobody takes audio from it.
    case listener = 2

    /// The role's word in messages, files and commands.
    package var word: String {
        switch self {
        case .guest: "guest"
        case .host: "host"
        case .listener: "listener"
        }
    }

    /// The role of that word.
    package init?(word: String) {
        guard let role = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = role
    }
}

extension RoomRole: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let role = RoomRole(word: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no such role")
        }
        self = role
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
