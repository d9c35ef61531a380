package import Primitives
package import Reactor

/// One peer connection's transport: ICE, DTLS over it, SRTP keyed by it, SCTP inside it, and all told apart on one port.
///
/// Handshake datagrams that come before signalling has named the peer's fingerprint are kept and replayed; flights of
/// ours are held until there is a pair to send them over. Events and packets come on the engine, never from within
/// `init`, and none comes after `close()`.
@EngineActor
package final class PeerTransport {
    /// What signalling must tell the peer.
    package struct LocalParameters: Hashable, Sendable {
        package var credentials: ICECredentials
        package var fingerprint: DTLSFingerprint
    }

    let configuration: TransportConfiguration
    let identity: DTLSIdentity
    private let onEvent: @EngineActor (TransportEvent) -> Void
    /// Called with each authentic packet of the peer; the bytes are valid during the call. `.rtcp` may be compound.
    package var onPacket: (@EngineActor (MediaKind, RawSpan, MonoTime) -> Void)?

    package let isControlling: Bool
    package private(set) var state = TransportState.new
    /// Sends and receives; the one of the running generation.
    var agent: ICEAgent
    /// The next generation during a restart.
    var nextAgent: ICEAgent?
    var dtls: DTLSSession?
    var link: SRTPLink?
    /// The data channels, once they are agreed on.
    package internal(set) var data: SCTPTransport?
    var impairment: Impairment?
    private var lastFailure: TransportError?
    var counters = TransportStatistics()
    var early: [[UInt8]] = []
    var held: [[UInt8]] = []
    var heldCandidates: [ICECandidate] = []
    /// What is known of why no path works.
    var diagnosis = PathDiagnosis()
    var remoteFingerprints: [DTLSFingerprint] = []
    var begun: MonoTime?
    var flightSent: MonoTime?
    var hasRemoteClosed = false
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2048, alignment: 16)
    private var dtlsTimer: EngineTimer?
    private var graceTimer: EngineTimer?

    /// Handshake datagrams that are kept: two flights of a browser with a post-quantum key share, twice over.
    static let earlyLimit = 8
    static let heldLimit = 16
    static let heldCandidateLimit = 64

    /// `isControlling`: this side made the first offer. `onEvent` must not hold the transport strongly.
    package init(
        configuration: TransportConfiguration, isControlling: Bool, identity: DTLSIdentity,
        onEvent: @escaping @EngineActor (TransportEvent) -> Void
    ) throws(TransportError) {
        self.configuration = configuration
        self.identity = identity
        self.isControlling = isControlling
        self.onEvent = onEvent
        let box = WeakBox<PeerTransport>()
        agent = try Self.makeAgent(configuration, isControlling, box)
        box.value = self
        counters.isControlling = isControlling
        dtlsTimer = EngineTimer { [weak self] in self?.dtlsTimerFired() }
        graceTimer = EngineTimer { [weak self] in self?.graceEnded() }
        if let link = configuration.impairment {
            impairment = Impairment(link) { [weak self] in self?.put($0) }
        }
    }

    isolated deinit {
        buffer.deallocate()
    }

    /// What signalling must tell the peer: of the next generation while a restart is under way.
    package var localParameters: LocalParameters {
        LocalParameters(credentials: (nextAgent ?? agent).credentials, fingerprint: identity.fingerprint)
    }

    /// Starts to gather: `.candidate` events, then `.gatheringDone`.
    package func gatherCandidates() {
        guard state != .closed else { return }
        (nextAgent ?? agent).gather()
    }

    /// Begins a new ICE generation, keeping DTLS and media as they are; returns its credentials for the offer.
    /// Candidates follow as events after `gatherCandidates()`.
    package func restartICE() throws(TransportError) -> ICECredentials {
        guard state != .closed else { throw TransportError(.ice, "the transport is closed") }
        nextAgent?.close()
        heldCandidates = []
        let next = try Self.makeAgent(configuration, isControlling, WeakBox(self))
        nextAgent = next
        return next.credentials
    }

    /// Sends close_notify, stops at once and reports nothing more. Idempotent.
    package func close() {
        guard state != .closed else { return }
        stopData()
        dtls?.close()
        flushDTLS(impaired: false)
        state = .closed
        counters.iceState = .closed
        agent.close()
        nextAgent?.close()
        nextAgent = nil
        dtlsTimer = nil
        graceTimer = nil
        impairment = nil
        link = nil
        onPacket = nil
    }

    /// Changes what is done to datagrams on their way out, where an impairment was configured.
    package func setImpairment(_ conditions: LossyLink.Conditions) {
        impairment?.set(conditions)
    }

    func emit(_ event: TransportEvent) {
        guard state != .closed else { return }
        onEvent(event)
    }

    func enter(_ new: TransportState) {
        guard state != .closed, new != state else { return }
        state = new
        emit(.state(new))
    }

    /// A transport that has failed already tells another reason too: the first may be of the past.
    func fail(_ error: TransportError) {
        guard state != .closed, state != .failed || error != lastFailure else { return }
        lastFailure = error
        emit(.failure(error))
        enter(.failed)
    }

    func armDTLSTimer() {
        // Without a pair nothing can be sent, so nothing is sent again.
        let left = agent.hasBeenUp ? dtls?.timeLeft : nil
        dtlsTimer?.arm(at: left.map { .now() + $0 })
    }

    private func dtlsTimerFired() {
        dtls?.handleTimeout()
        flightSent = nil
        pumpDTLS()
    }

    func armGrace() {
        graceTimer?.arm(after: configuration.failureGrace)
    }

    func cancelGrace() {
        graceTimer?.cancel()
    }

    private func graceEnded() {
        guard !agent.isUp, nextAgent.map({ $0.state == .failed }) ?? true else { return }
        fail(TransportError(.ice, diagnosis.description))
    }
}

/// A way to an object that does not exist yet.
final class WeakBox<Value: AnyObject> {
    weak var value: Value?

    init(_ value: Value? = nil) {
        self.value = value
    }
}
