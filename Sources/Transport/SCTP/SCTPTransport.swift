import Primitives
package import Reactor

/// What was agreed on about data (RFC 8841).
package struct SCTPParameters: Hashable, Sendable {
    /// `a=sctp-port` of the peer.
    package var remotePort: UInt16
    /// The longest message that the peer takes, in bytes.
    package var remoteMessageLimit: Int

    package init(remotePort: UInt16, remoteMessageLimit: Int) {
        self.remotePort = remotePort
        self.remoteMessageLimit = remoteMessageLimit
    }
}

/// The data channels to one peer: a usrsctp association in packets of its owner's DTLS session.
///
/// Events come on the engine, also from within these calls. Left out of RFC 8831: 65,535 streams (section 6.2; 256 here,
/// for which usrsctp sets memory aside), and interleaving of messages (section 6.1): nobody sends long ones beside others.
/// An association that is over is not made anew within its DTLS session: `closed` is final in browsers too. It takes an
/// abort of the peer, or silence for a minute, when media and ICE have long given the peer up.
@EngineActor
package final class SCTPTransport {
    /// The states of webrtc's `RTCSctpTransportState`.
    package enum State: String, Sendable {
        case connecting
        case connected
        case closed
    }

    /// Our `a=sctp-port`.
    package nonisolated static let localPort: UInt16 = 5000
    /// Our `a=max-message-size`.
    package nonisolated static let messageLimit = 262_144
    /// Bytes that wait until the peer has taken what was sent before; more is refused.
    package nonisolated static let bufferLimit = 1_048_576

    package private(set) var state = State.connecting
    package let parameters: SCTPParameters
    private let socket: SCTPSocket
    private var channels: DataChannels
    private var queue = SendQueue()
    private var resets: [UInt16] = []
    private var malformedPacketCount = 0
    private var hasBegun = false
    private var isPumping = false
    private let onPacket: @EngineActor ([UInt8]) -> Void
    private let onEvent: @EngineActor (DataChannelEvent) -> Void

    /// `onPacket` sends a packet by DTLS. Neither callback may hold the owner strongly.
    init(
        _ parameters: SCTPParameters, isDTLSClient: Bool, onPacket: @escaping @EngineActor ([UInt8]) -> Void,
        onEvent: @escaping @EngineActor (DataChannelEvent) -> Void
    ) throws(TransportError) {
        self.parameters = parameters
        self.onPacket = onPacket
        self.onEvent = onEvent
        channels = DataChannels(isDTLSClient: isDTLSClient)
        socket = try SCTPSocket(localPort: Self.localPort)
        socket.onActivity = { [weak self] in self?.pump() }
    }

    /// Opens a channel by the establishment protocol; messages may follow at once.
    package func open(_ options: DataChannelOptions) throws(DataChannelError) -> DataChannelID {
        guard state != .closed else { throw .notConnected }
        let (id, actions) = try channels.open(options)
        perform(actions)
        return id
    }

    /// Adds a channel that both sides have agreed on beforehand, under a number that they have agreed on too.
    package func add(_ id: DataChannelID, _ options: DataChannelOptions) throws(DataChannelError) {
        guard state != .closed else { throw .notConnected }
        perform(try channels.add(id, options))
    }

    /// Sends a message, or keeps it until the peer has room.
    package func send(_ message: DataMessage, on id: DataChannelID) throws(DataChannelError) {
        guard state != .closed else { throw .notConnected }
        let limit = min(parameters.remoteMessageLimit, Self.messageLimit)
        guard message.byteCount <= limit else {
            throw .messageTooLong(byteCount: message.byteCount, limit: limit)
        }
        let sent = try channels.send(message, on: id)
        guard queue.byteCount + message.byteCount <= Self.bufferLimit else {
            throw .bufferFull(limit: Self.bufferLimit)
        }
        perform([.send(sent)])
    }

    /// Closes a channel behind what was sent on it.
    package func close(_ id: DataChannelID) {
        perform(channels.close(id))
    }

    /// Bytes that wait for room.
    package var bufferedAmount: Int {
        queue.byteCount
    }

    package var counters: DataChannelCounters {
        var counters = channels.counters
        counters.malformedPackets = malformedPacketCount
        return counters
    }

    /// Begins the association, once; DTLS is there.
    func connect() throws(TransportError) {
        guard !hasBegun else { return }
        hasBegun = true
        try socket.connect(remotePort: parameters.remotePort)
        pump()
    }

    /// Takes what DTLS has decrypted.
    func receive(_ packet: [UInt8]) {
        guard state != .closed else { return }
        let before = SCTPStack.shared.malformedPacketCount
        socket.receive(packet)
        malformedPacketCount += Int(SCTPStack.shared.malformedPacketCount &- before)
        pump()
    }

    /// Ends the association: with a last packet for the peer, and an event for each channel that was open. Idempotent.
    func close(reason: String? = nil) {
        guard state != .closed else { return }
        state = .closed
        socket.close()
        for packet in socket.takePackets() { onPacket(packet) }
        for case .event(let event) in channels.ended(reason: reason) { onEvent(event) }
    }
}

extension SCTPTransport {
    func perform(_ actions: [DataChannels.Action]) {
        for action in actions {
            switch action {
            case .send(let message): queue.append(message)
            case .reset(let stream): resets.append(stream)
            case .event(let event): onEvent(event)
            }
        }
        pump()
    }

    /// Moves everything that can be moved.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        var events: [SCTPSocket.Event] = []
        repeat {
            sendQueue()
            sendResets()
            for packet in socket.takePackets() { onPacket(packet) }
            events = socket.takeEvents()
            for event in events { took(event) }
        } while !events.isEmpty && state != .closed
    }

    private func sendQueue() {
        guard state == .connected else { return }
        while let message = queue.first {
            guard socket.send(message) != .later else { return queue.isBlocked = true }
            queue.removeFirst()
        }
        guard queue.isBlocked else { return }
        queue.isBlocked = false
        onEvent(.drained)
    }

    private func sendResets() {
        guard state == .connected else { return }
        for stream in resets where !queue.holds(stream) {
            guard socket.reset(stream: stream) != .later else { continue }
            resets.removeAll { $0 == stream }
        }
    }

    private func took(_ event: SCTPSocket.Event) {
        guard state != .closed else { return }
        switch event {
        case .connected(let streamCount):
            state = .connected
            perform(channels.connected(streamCount: streamCount))
        case .message(let message): perform(channels.receive(message))
        case .messageTooLong(let stream): perform(channels.receivedTooLong(stream: stream))
        case .incomingReset(let streams): perform(channels.incomingReset(streams))
        case .outgoingReset(let streams): channels.outgoingReset(streams)
        case .ended(let reason): close(reason: reason)
        }
    }
}
