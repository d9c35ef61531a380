import Foundation

/// The room protocol: one JSON object in one WebSocket text message, its kind in `type`. `Rooms.md` has the tables.
///
/// A client opens the WebSocket `/ws` and says `hello`; until the server answers with `welcome` nothing else is taken
/// and nothing is told. Unknown fields are ignored, so fields may be added; an unknown type is refused with a reason.
///
/// | client to server | fields | meaning |
/// |---|---|---|
/// | `hello` | `version` `room` `token` `name` `identity` `session` `intent` `capabilities` | asks to come in |
/// | `description` | `to` `kind` `sdp` | an offer or answer for one member |
/// | `candidate` | `to` `candidate` `mid` `ufrag` | one ICE candidate; empty: no more follow |
/// | `status` | `muted` `held` `deafened` `video` `screen` `recording` | what the sender does, for everyone |
/// | `view` | `to` `layer` | which picture of the addressee the sender wants: none, low or high |
/// | `limit` | `to` `layer` | the largest picture that the sender's path to the addressee carries |
/// | `report` | `seconds` `losses` | what the sender lost of each other member |
/// | `commitment` `reveal` | `to` and hash, or nonce and fingerprint | the two steps of the authentication string |
/// | `ring` `ringCancel` | `call` `name` | calls someone who waits in the room |
/// | `ringAnswer` | `call` `to` `answer` | answers, from someone who waits |
/// | `enter` | | someone who waits comes in |
/// | `renew` | `token` | a new token; without one, a wish for more time |
/// | `admit` `decline` | `id` `reason` | from a host, to who knocks |
/// | `kick` `extend` | `id` and `reason` or `seconds` | from a host, about a member |
/// | `leave` | `closes` | goodbye; a host may close the room with it |
/// | `ping` `pong` | `number` | liveness |
///
/// | server to client | fields | meaning |
/// |---|---|---|
/// | `welcome` | `id` `server` `room` `role` `resumed` `members` `waiting` `iceServers` `limits` `expiresIn` | you are in |
/// | `lobby` | `room` `seconds` | you knock, and the hosts have been asked |
/// | `refused` | `code` `reason` | you are not; the connection closes |
/// | `joined` `left` | `member`; `id` and `reason` | the roster changed |
/// | `waiting` | `names` | who can be rung now |
/// | the relayed ones | `from` instead of `to` | from that member |
/// | `ring` `ringCancel` `ringAnswer` `ringState` | `call` … | ringing |
/// | `knock` `knockOver` | `id` `name` `role` `seconds`; `id` and `outcome` | to hosts: someone knocks |
/// | `expiring` | `seconds` | your time is nearly over |
/// | `renewed` | `expiresIn` `token` | you may stay longer |
/// | `renewalWanted` | `id` | to hosts: a member asks for more time |
/// | `error` | `code` `reason` `about` | one message was not taken; the connection stays |
/// | `closing` | `reason` | the room ends |
/// | `ping` `pong` | `number` | liveness |
package enum RoomProtocol {
    /// The version in `hello`; another one is refused.
    package static let version = 1
    /// What a client says of itself that follows `status`, `view` and `limit`: it takes a missing picture for none.
    package static let picturesCapability = "pictures"
    /// The path of the WebSocket.
    package static let path = "/ws"
    /// The longest message, in bytes, except a description.
    package static let messageByteLimit = 64 * 1024
    /// The longest `description` message, in bytes.
    package static let descriptionByteLimit = 128 * 1024
    /// For how long a host may extend a member's stay, in seconds: up to ten years.
    package static let extensionSeconds = 1.0...315_360_000

    /// One message as bytes of UTF-8 JSON, keys sorted.
    package static func encode(_ message: some RoomWireMessage) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every payload is strings, booleans, finite numbers and arrays of these, which always encode.
        return (try? encoder.encode(message)).map { [UInt8]($0) } ?? []
    }

    /// Reads and checks one message.
    package static func decode<Message: RoomWireMessage>(
        _ type: Message.Type, from bytes: RawSpan
    ) throws(RoomMessageError) -> Message {
        let count = bytes.byteCount
        guard count <= descriptionByteLimit else {
            throw .tooLong(byteCount: count, limit: descriptionByteLimit)
        }
        let message = try parse(type, from: bytes.withUnsafeBytes { Data($0) })
        guard count <= messageByteLimit || message.isDescription else {
            throw .tooLong(byteCount: count, limit: messageByteLimit)
        }
        try message.check()
        return message
    }

    /// Checks a number of seconds from now.
    static func checkDuration(_ seconds: Double) throws(RoomMessageError) {
        guard (0...1e12).contains(seconds) else {
            throw .invalid(field: "seconds", reason: "out of range; not negative, and finite")
        }
    }

    private static func parse<Message: RoomWireMessage>(
        _ type: Message.Type, from data: Data
    ) throws(RoomMessageError) -> Message {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch let error as RoomMessageError {
            throw error
        } catch let error as DecodingError {
            throw .malformed(reason(of: error))
        } catch {
            throw .malformed("not JSON")
        }
    }

    private static func reason(of error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _):
            "the field \"\(key.stringValue.prefix(64))\" is missing"
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty:
            "the field \"\(path(context))\" has the wrong type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "the field \"\(path(context))\" holds an unknown value"
        default:
            "not a JSON object"
        }
    }

    private static func path(_ context: DecodingError.Context) -> String {
        String(context.codingPath.map(\.stringValue).joined(separator: ".").prefix(64))
    }
}

/// A message of one direction of the room protocol.
package protocol RoomWireMessage: Codable, Hashable, Sendable {
    /// Whether the larger limit for session descriptions holds.
    var isDescription: Bool { get }

    /// Checks what the types alone do not say: lengths, characters, ranges.
    func check() throws(RoomMessageError)
}

/// The field that says which message an object is.
struct MessageType: Codable {
    var type: String

    static func read(from decoder: any Decoder) throws -> String {
        try MessageType(from: decoder).type
    }

    static func write(_ type: String, to encoder: any Encoder) throws {
        try MessageType(type: type).encode(to: encoder)
    }

    static func unknown(_ type: String) -> RoomMessageError {
        let printable = type.unicodeScalars.filter { $0.value >= 32 && $0.value < 127 }
        return .unknownType(String(String.UnicodeScalarView(printable)).prefix(64).description)
    }
}
