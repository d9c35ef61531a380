import ControlProtocol

/// A line of the message area.
package struct ConsoleMessage: Hashable, Sendable {
    package enum Weight: Hashable, Sendable {
        case plain
        /// Somebody wrote it.
        case chat
        case warning
        case error
    }

    package var wallMs: Int
    package var text: String
    package var weight: Weight
}

/// The latest messages, oldest first.
package struct MessageLog: Hashable, Sendable {
    package private(set) var messages: [ConsoleMessage] = []

    static let limit = 500

    mutating func add(_ text: String, _ weight: ConsoleMessage.Weight, at wallMs: Int) {
        messages.append(ConsoleMessage(wallMs: wallMs, text: text, weight: weight))
        if messages.count > Self.limit { messages.removeFirst(messages.count - Self.limit) }
    }

    mutating func add(_ event: EventUpdate) {
        add(event.text, event.kind.weight, at: event.time)
    }
}

extension EventUpdate.Kind {
    fileprivate var weight: ConsoleMessage.Weight {
        switch self {
        case .warning, .memberLost, .interrupted, .lost, .expiring, .knock, .soundServer, .userDidNotRespond,
            .ringRejected, .memberRecordingOn:
            .warning
        default: .plain
        }
    }
}
