import Primitives

/// The channels of one association (RFC 8831) and their establishment (RFC 8832): whole messages and stream resets go
/// in, messages, resets and events come out.
struct DataChannels: Sendable {
    enum Action: Hashable, Sendable {
        case send(SCTPMessage)
        /// Resets our direction of the stream, once what was sent before is through (RFC 6525).
        case reset(stream: UInt16)
        case event(DataChannelEvent)
    }

    private enum State {
        /// The peer has not acknowledged it: messages go in order, so that none overtakes the opening.
        case opening
        case open
        /// Which directions of the stream are not reset yet.
        case closing(outgoing: Bool, incoming: Bool)
    }

    private struct Channel {
        var options: DataChannelOptions
        var state: State
    }

    /// Streams that are asked for in each direction, and so the channels that there can be.
    static let streamLimit: UInt16 = 256

    /// Channels that this side opens have even numbers if it is the DTLS client (RFC 8832, section 6).
    private let isDTLSClient: Bool
    /// Bytes that a message of the peer may have.
    private let messageLimit: Int
    /// Streams of each direction, once the association has told.
    private var streamCount = Self.streamLimit
    private var isConnected = false
    private var channels: [UInt16: Channel] = [:]
    private(set) var counters = DataChannelCounters()

    init(isDTLSClient: Bool, messageLimit: Int = SCTPTransport.messageLimit) {
        self.isDTLSClient = isDTLSClient
        self.messageLimit = messageLimit
    }
}

extension DataChannels {
    /// Opens a channel by the establishment protocol, under the first free number of our side.
    mutating func open(_ options: DataChannelOptions) throws(DataChannelError) -> (DataChannelID, [Action]) {
        try check(options)
        let first: UInt16 = isDTLSClient ? 0 : 1
        guard let number = stride(from: first, to: streamCount, by: 2).first(where: { channels[$0] == nil }) else {
            throw .noFreeNumber
        }
        channels[number] = Channel(options: options, state: .opening)
        return (DataChannelID(number), [.send(control(.open(options), stream: number))])
    }

    /// Adds a channel that both sides know of without saying so.
    mutating func add(_ id: DataChannelID, _ options: DataChannelOptions) throws(DataChannelError) -> [Action] {
        try check(options)
        guard id.rawValue < streamCount, channels[id.rawValue] == nil else { throw .unusableNumber(id.rawValue) }
        channels[id.rawValue] = Channel(options: options, state: .open)
        return isConnected ? [.event(.opened(id, options))] : []
    }

    /// The message as it goes out.
    func send(_ message: DataMessage, on id: DataChannelID) throws(DataChannelError) -> SCTPMessage {
        guard let channel = channels[id.rawValue] else { throw .noSuchChannel }
        var sent = SCTPMessage(message, stream: id.rawValue)
        switch channel.state {
        case .opening: break
        case .open: sent.isOrdered = channel.options.isOrdered
        case .closing: throw .noSuchChannel
        }
        sent.reliability = channel.options.reliability
        return sent
    }

    /// Closes a channel at once. Its number is free again when the peer has closed it too.
    mutating func close(_ id: DataChannelID, reason: String? = nil) -> [Action] {
        guard let channel = channels[id.rawValue] else { return [] }
        if case .closing = channel.state { return [] }
        channels[id.rawValue]?.state = .closing(outgoing: true, incoming: true)
        return [.reset(stream: id.rawValue), .event(.closed(id, reason: reason))]
    }

    private func check(_ options: DataChannelOptions) throws(DataChannelError) {
        let limit = DataChannelControl.nameLimit
        guard max(options.label.utf8.count, options.subprotocol.utf8.count) <= limit else {
            throw .nameTooLong(limit: limit)
        }
    }

    private func control(_ message: DataChannelControl, stream: UInt16) -> SCTPMessage {
        SCTPMessage(stream: stream, payloadType: .control, bytes: message.bytes)
    }
}

extension DataChannels {
    /// The association is up, with so many streams in each direction.
    mutating func connected(streamCount: UInt16) -> [Action] {
        isConnected = true
        self.streamCount = min(streamCount, Self.streamLimit)
        let beyond = channels.keys.filter { $0 >= self.streamCount }.sorted()
        for number in beyond { channels[number] = nil }
        let closed = beyond.map { number in
            Action.event(.closed(DataChannelID(number), reason: "the peer has not so many streams"))
        }
        return openChannels.map { .event(.opened(DataChannelID($0), $1)) } + closed
    }

    private var openChannels: [(UInt16, DataChannelOptions)] {
        channels.compactMap { number, channel in
            if case .open = channel.state { (number, channel.options) } else { nil }
        }.sorted { $0.0 < $1.0 }
    }

    mutating func receive(_ message: SCTPMessage) -> [Action] {
        guard message.bytes.count <= messageLimit else { return receivedTooLong(stream: message.stream) }
        guard message.payloadType != .control else { return receiveControl(message) }
        guard let channel = channels[message.stream] else {
            counters.strayMessages += 1
            return []
        }
        // Between our closing and the peer's, what is still under way is of no interest.
        if case .closing = channel.state { return [] }
        guard let received = DataMessage(message) else {
            counters.malformedMessages += 1
            return []
        }
        return [.event(.message(DataChannelID(message.stream), received))]
    }

    private mutating func receiveControl(_ message: SCTPMessage) -> [Action] {
        switch DataChannelControl(parsing: message.bytes.span.bytes) {
        case .open(let options): return receiveOpening(options, stream: message.stream)
        case .acknowledgement:
            guard let channel = channels[message.stream], case .opening = channel.state else { break }
            channels[message.stream]?.state = .open
            return [.event(.opened(DataChannelID(message.stream), channel.options))]
        case nil: break
        }
        counters.malformedControl += 1
        return []
    }

    private mutating func receiveOpening(_ options: DataChannelOptions, stream: UInt16) -> [Action] {
        let isPeersNumber = stream.isMultiple(of: 2) != isDTLSClient
        guard stream < streamCount, isPeersNumber, channels[stream] == nil else {
            counters.refusedOpenings += 1
            return close(DataChannelID(stream))
        }
        channels[stream] = Channel(options: options, state: .open)
        return [
            .send(control(.acknowledgement, stream: stream)), .event(.opened(DataChannelID(stream), options)),
        ]
    }

    /// The peer has sent a message that is longer than it may be. Nothing of it is kept, and a channel that lost a
    /// message is not what it was.
    mutating func receivedTooLong(stream: UInt16) -> [Action] {
        counters.oversizedMessages += 1
        return close(DataChannelID(stream), reason: "the peer sent a message longer than \(messageLimit) bytes")
    }

    /// The peer has reset its direction of these streams: it closes their channels, or confirms that they are closed.
    mutating func incomingReset(_ streams: [UInt16]) -> [Action] {
        var actions: [Action] = []
        for stream in streams {
            actions += close(DataChannelID(stream))
            setReset(stream, incoming: true)
        }
        return actions
    }

    /// Our direction of these streams is reset.
    mutating func outgoingReset(_ streams: [UInt16]) {
        for stream in streams { setReset(stream, incoming: false) }
    }

    private mutating func setReset(_ stream: UInt16, incoming isIncoming: Bool) {
        guard case .closing(let outgoing, let incoming) = channels[stream]?.state else { return }
        let left = isIncoming ? (outgoing, false) : (false, incoming)
        channels[stream]?.state = .closing(outgoing: left.0, incoming: left.1)
        if left == (false, false) { channels[stream] = nil }
    }

    /// The association has ended, and every channel with it.
    mutating func ended(reason: String?) -> [Action] {
        let open = channels.filter { if case .closing = $0.value.state { false } else { true } }.keys.sorted()
        channels = [:]
        isConnected = false
        return open.map { .event(.closed(DataChannelID($0), reason: reason)) }
    }
}

extension DataMessage {
    /// `nil` for a message of an unknown kind, or text that is no UTF-8.
    fileprivate init?(_ message: SCTPMessage) {
        switch message.payloadType {
        case .string:
            guard let text = String(validating: message.bytes, as: UTF8.self) else { return nil }
            self = .text(text)
        case .emptyString: self = .text("")
        case .binary: self = .binary(message.bytes)
        case .emptyBinary: self = .binary([])
        default: return nil
        }
    }
}
