/// A channel's number: that of the SCTP stream it has in either direction (RFC 8831, section 6.4), 0…65534.
package struct DataChannelID: Hashable, Sendable, CustomStringConvertible {
    package var rawValue: UInt16

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package var description: String {
        "\(rawValue)"
    }
}

/// What the opener of a channel decides (RFC 8832, section 5.1).
package struct DataChannelOptions: Hashable, Sendable {
    /// How long a message is worth sending again.
    package enum Reliability: Hashable, Sendable {
        /// For ever.
        case reliable
        /// So many times.
        case retransmissions(UInt32)
        /// So many milliseconds from when it was handed over.
        case lifetime(milliseconds: UInt32)
    }

    package var label: String
    /// A name of the WebSocket subprotocol registry, or empty.
    package var subprotocol = ""
    package var isOrdered = true
    package var reliability = Reliability.reliable
    /// As in RFC 8831, section 6.4: 128 is below normal, 256 normal, 512 high, 1024 extra high.
    package var priority: UInt16 = 256

    package init(label: String) {
        self.label = label
    }
}

/// One message of a channel.
package enum DataMessage: Hashable, Sendable {
    case text(String)
    case binary([UInt8])

    /// Its length in bytes.
    package var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }
}

/// What happened to the channels of one peer.
package enum DataChannelEvent: Hashable, Sendable {
    /// The channel carries messages both ways: by agreement, because the peer acknowledged it, or opened by the peer.
    case opened(DataChannelID, DataChannelOptions)
    case message(DataChannelID, DataMessage)
    /// `reason`: `nil` where one side closed it on purpose.
    case closed(DataChannelID, reason: String?)
    /// What had been held back for want of room has all been handed over.
    case drained
}

/// Why a channel cannot be opened, or a message not be sent.
package enum DataChannelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The peer has no data channels, or the association has ended.
    case notConnected
    case noSuchChannel
    /// The number is in use, or beyond what the peer takes.
    case unusableNumber(UInt16)
    case noFreeNumber
    /// Label and protocol are limited to 65,535 bytes by their fields, and here to fewer.
    case nameTooLong(limit: Int)
    /// Longer than the peer takes.
    case messageTooLong(byteCount: Int, limit: Int)
    /// The peer takes messages more slowly than they are sent: wait for `drained`.
    case bufferFull(limit: Int)

    package var description: String {
        switch self {
        case .notConnected: "there is no data channel to this peer"
        case .noSuchChannel: "the channel is not open"
        case .unusableNumber(let number): "channel number \(number) cannot be used"
        case .noFreeNumber: "all channel numbers are in use; close a channel first"
        case .nameTooLong(let limit): "the channel's label or protocol is longer than \(limit) bytes"
        case .messageTooLong(let byteCount, let limit):
            "a message of \(byteCount) bytes is too long: the peer takes \(limit)"
        case .bufferFull(let limit): "the peer is too slow: \(limit) bytes wait for it already"
        }
    }
}
