/// Why a message of the room protocol is refused; `description` is the reason that its sender is told.
package enum RoomMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message is longer than its kind may be, in bytes.
    case tooLong(byteCount: Int, limit: Int)
    /// The bytes are not a JSON object with a `type`, or a field is missing or ill-typed.
    case malformed(String)
    /// No message of this version has this `type`.
    case unknownType(String)
    /// A field holds what it may not hold.
    case invalid(field: String, reason: String)

    package var description: String {
        switch self {
        case .tooLong(let byteCount, let limit):
            "the message has \(byteCount) bytes; at most \(limit) are taken"
        case .malformed(let reason):
            "the message is malformed: \(reason)"
        case .unknownType(let type):
            "the message type \"\(type)\" is unknown in version \(RoomProtocol.version)"
        case .invalid(let field, let reason):
            "\(field): \(reason)"
        }
    }

    /// The code that goes over the wire beside the reason.
    package var code: RefusalCode {
        switch self {
        case .tooLong: .tooLong
        case .malformed: .malformed
        case .unknownType: .unknownType
        case .invalid: .invalid
        }
    }
}
