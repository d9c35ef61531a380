/// A user message of an SCTP association.
struct SCTPMessage: Hashable, Sendable {
    var stream: UInt16
    var payloadType: PayloadProtocol
    var bytes: [UInt8]
    var isOrdered = true
    var reliability = DataChannelOptions.Reliability.reliable
}

/// What a user message is (payload protocol identifiers, RFC 8831, section 8.1).
struct PayloadProtocol: Hashable, Sendable {
    var rawValue: UInt32

    init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The establishment protocol (RFC 8832).
    static let control = PayloadProtocol(50)
    static let string = PayloadProtocol(51)
    static let binary = PayloadProtocol(53)
    /// SCTP has no empty messages: these hold one byte that means nothing.
    static let emptyString = PayloadProtocol(56)
    static let emptyBinary = PayloadProtocol(57)
}

extension SCTPMessage {
    init(_ message: DataMessage, stream: UInt16) {
        switch message {
        case .text(let text) where text.isEmpty: self.init(stream: stream, payloadType: .emptyString, bytes: [0])
        case .text(let text): self.init(stream: stream, payloadType: .string, bytes: Array(text.utf8))
        case .binary(let bytes) where bytes.isEmpty: self.init(stream: stream, payloadType: .emptyBinary, bytes: [0])
        case .binary(let bytes): self.init(stream: stream, payloadType: .binary, bytes: bytes)
        }
    }
}
