import Glibc
import Primitives
import Reactor
import TestSupport

@testable import Transport

/// One side of a pair, and what it reported.
@EngineActor final class Peer {
    private(set) var transport: PeerTransport!
    var states: [TransportState] = []
    var candidates: [String] = []
    var failure: TransportError?
    var hasRemoteClosed = false
    var received: [[UInt8]] = []
    var receivedRTCP: [[UInt8]] = []
    var data: [DataChannelEvent] = []
    var onCandidate: ((String) -> Void)?
    var onGathered: (() -> Void)?
    /// When it first was connected.
    var connectedAt: MonoTime?

    init(_ configuration: TransportConfiguration, isControlling: Bool, identity: DTLSIdentity) throws {
        transport = try PeerTransport(
            configuration: configuration, isControlling: isControlling, identity: identity
        ) { [weak self] in self?.take($0) }
        transport.onPacket = { [weak self] kind, bytes, _ in
            if kind == .rtp { self?.received.append(bytes.bytes) } else { self?.receivedRTCP.append(bytes.bytes) }
        }
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .candidate(let line):
            candidates.append(line)
            onCandidate?(line)
        case .gatheringDone: onGathered?()
        case .state(let state):
            states.append(state)
            if state == .connected, connectedAt == nil { connectedAt = .now() }
        case .failure(let error): failure = error
        case .remoteClosed: hasRemoteClosed = true
        case .selectedPair: break
        case .data(let event): data.append(event)
        }
    }

    /// The messages of its channels.
    var messages: [DataMessage] {
        data.compactMap { if case .message(_, let message) = $0 { message } else { nil } }
    }

    func drop() {
        transport = nil
    }

    func send(rtp sequence: UInt16, payload: [UInt8]) {
        transport.sendRTP(Self.rtp(sequence, payload))
    }

    nonisolated static func rtp(_ sequence: UInt16, _ payload: [UInt8], ssrc: UInt32 = 0x1234) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt16(0x806F))
        writer.write(sequence)
        writer.write(UInt32(sequence) &* 960)
        writer.write(ssrc)
        writer.write(payload)
        return writer.bytes
    }

    nonisolated static let receiverReport: [UInt8] = [0x80, 201, 0, 1, 0, 0, 0x12, 0x34]
}

/// Two transports on loopback, joined by signalling that takes `signallingDelay` a message.
@EngineActor final class PeerPair {
    static let identities = try? (DTLSIdentity(), DTLSIdentity())
    let offerer: Peer
    let answerer: Peer
    /// What either side is told of the other's fingerprint.
    var fingerprintForOfferer: DTLSFingerprint
    var fingerprintForAnswerer: DTLSFingerprint
    var answererRole = DTLSRole.client
    /// What the offerer is told instead of the answerer's address.
    var nameOfAnswerer: String?
    /// When the offerer had the answer.
    private(set) var answeredAt = MonoTime.zero

    static var loopback: TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.localAddresses = .only(["127.0.0.1"])
        return configuration
    }

    init(_ first: TransportConfiguration = loopback, _ second: TransportConfiguration = loopback) throws {
        guard let (one, two) = Self.identities else { throw TransportError(.identity, "no identity") }
        offerer = try Peer(first, isControlling: true, identity: one)
        answerer = try Peer(second, isControlling: false, identity: two)
        fingerprintForOfferer = two.fingerprint
        fingerprintForAnswerer = one.fingerprint
    }

    /// Offer, then answer after `answerDelay`, candidates trickling at once in between.
    func signal(answerDelay: Duration = .zero) async throws {
        wire(offerer, to: answerer)
        wire(answerer, to: offerer)
        offerer.transport.gatherCandidates()
        try answer()
        answerer.transport.gatherCandidates()
        if answerDelay > .zero { await passTime(answerDelay) }
        try takeAnswer()
    }

    func wire(_ from: Peer, to: Peer) {
        let name = from === answerer ? nameOfAnswerer : nil
        from.onCandidate = { [weak to] line in
            to?.transport?.addRemoteCandidate(name.map { line.replacing("127.0.0.1", with: $0) } ?? line)
        }
        from.onGathered = { [weak to] in to?.transport?.endOfRemoteCandidates() }
    }

    func answer() throws {
        try answerer.transport.setRemote(
            offerer.transport.localParameters.credentials, fingerprints: [fingerprintForAnswerer], role: answererRole)
    }

    func takeAnswer() throws {
        answeredAt = .now()
        try offerer.transport.setRemote(
            answerer.transport.localParameters.credentials, fingerprints: [fingerprintForOfferer],
            role: answererRole == .client ? .server : .client)
    }

    /// Signals and waits for both sides; returns whether both are connected.
    func connect(answerDelay: Duration = .zero) async throws -> Bool {
        try await signal(answerDelay: answerDelay)
        return await eventually { self.isConnected }
    }

    var isConnected: Bool {
        offerer.transport.state == .connected && answerer.transport.state == .connected
    }

    /// Sends `count` packets each way and returns whether all arrive, plain and in order.
    func exchangesMedia(count: UInt16 = 20, from start: UInt16 = 0) async -> Bool {
        offerer.received = []
        answerer.received = []
        let payloads = (start..<start + count).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 160) }
        for (index, payload) in payloads.enumerated() {
            offerer.send(rtp: start + UInt16(index), payload: payload)
            answerer.send(rtp: start + UInt16(index), payload: payload)
        }
        let expected = payloads.enumerated().map { Peer.rtp(start + UInt16($0.offset), $0.element) }
        return await eventually {
            self.offerer.received == expected && self.answerer.received == expected
        }
    }

    func close() {
        offerer.transport?.close()
        answerer.transport?.close()
    }
}
