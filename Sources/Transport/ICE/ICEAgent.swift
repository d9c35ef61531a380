import CGLib
import CNice
import Primitives
import Reactor

/// ICE of one generation over libnice: candidates both ways, checks, consent, and datagrams over the selected pair.
///
/// A restart is a new agent with new sockets, so that it also finds its way after the machine has changed networks; the
/// old one carries media until the new one is up.
@EngineActor
final class ICEAgent {
    enum Event {
        case candidate(ICECandidate)
        case gatheringDone
        /// No socket could be opened.
        case gatheringFailed
        case state(ICEState)
        case selectedPair(ICECandidatePair)
    }

    let credentials: ICECredentials
    private(set) var state = ICEState.new
    private(set) var selectedPair: ICECandidatePair?
    /// Whether a pair has been usable at some time. States go back and forth while other pairs are checked.
    private(set) var hasBeenUp = false
    private(set) var remote: ICECredentials?

    let nice: NiceStream
    private let configuration: TransportConfiguration
    private let localAddresses: [String]
    /// Where the configured public address leads, in numbers.
    private var publicAddresses: [String] = []
    private var signals: [GSignalConnection] = []
    private var isGathering = false
    private var hasRelayed = false
    private var isClosed = false
    private var remoteCount = 0
    /// Names that the peer has used instead of addresses.
    private var names: Set<String> = []
    /// Names that are being looked up.
    private var lookUpCount = 0
    /// Candidates whose names could not be found here.
    private(set) var unknownCount = 0
    private var hasRemoteEnded = false
    private let onEvent: @EngineActor (Event) -> Void
    private let onDatagram: @EngineActor (UnsafeMutableRawBufferPointer) -> Void

    /// Candidates of the peer that are taken; libnice itself looks at 25.
    private static let remoteLimit = 64
    /// Each name may keep a thread of the resolver for seconds; browsers have one for each interface.
    private static let nameLimit = 8

    /// Neither closure may hold the agent strongly. A datagram's buffer is valid and may be written during the call.
    init(
        _ configuration: TransportConfiguration, isControlling: Bool,
        onEvent: @escaping @EngineActor (Event) -> Void,
        onDatagram: @escaping @EngineActor (UnsafeMutableRawBufferPointer) -> Void
    ) throws(TransportError) {
        nice = NiceStream(isControlling: isControlling, relaysOnly: configuration.relaysOnly)
        guard let credentials = nice.credentials else {
            throw TransportError(.ice, "libnice made no stream")
        }
        self.credentials = credentials
        self.configuration = configuration
        localAddresses = configuration.localAddresses.current
        self.onEvent = onEvent
        self.onDatagram = onDatagram
        prepareAddresses()
        connectSignals()
        setListening(true)
    }

    isolated deinit {
        let nice = nice
        // libnice may be calling back at this moment, and must not find its stream gone afterwards.
        if !isClosed { Task { @EngineActor in nice.tearDown() } }
    }

    /// Whether a pair is usable now.
    var isUp: Bool {
        state == .connected || state == .completed
    }

    /// Starts to gather. Host candidates wait, for a second at most, until it is known which servers to use, and where
    /// the public address leads.
    func gather() {
        guard !isGathering, !isClosed else { return }
        isGathering = true
        let (servers, publicName) = (configuration.servers, configuration.publicAddress)
        guard servers != nil || publicName != nil else { return startGathering() }
        Task { @EngineActor [weak self] in
            let routes = await servers?.routes() ?? []
            var found: [String] = []
            if let publicName { found = await HostLookup.addresses(of: publicName, within: .seconds(1)) }
            guard let self, !isClosed else { return }
            if let servers { add(routes, of: servers) }
            publicAddresses = [found.first { !$0.contains(":") }, found.first { $0.contains(":") }].compactMap { $0 }
            startGathering()
        }
    }

    /// Sets the peer's credentials. Returns whether they can be used.
    func setRemote(_ credentials: ICECredentials) -> Bool {
        guard !isClosed, credentials.isValid, nice.setRemote(credentials) else { return false }
        remote = credentials
        return true
    }

    /// Returns whether the candidate was taken. One with a name is looked up first.
    @discardableResult
    func addRemote(_ candidate: ICECandidate) -> Bool {
        guard !isClosed, remoteCount < Self.remoteLimit else { return false }
        remoteCount += 1
        guard candidate.isNamed else { return nice.addRemote(candidate) }
        guard names.count < Self.nameLimit else { return false }
        names.insert(candidate.address)
        lookUp(candidate)
        return true
    }

    func endRemoteCandidates() {
        hasRemoteEnded = true
        endIfAllIsKnown()
    }

    /// Sends over the selected pair. Returns whether the socket took it.
    func send(_ datagram: UnsafeRawBufferPointer) -> Bool {
        !isClosed && nice.send(datagram)
    }

    var socketDropCount: Int {
        isClosed ? 0 : nice.socketDropCount
    }

    /// Listens to the sockets, or leaves all that comes unread.
    func setListening(_ listens: Bool) {
        if listens { nice.attach(owner: self, handler: receiveDatagram) } else { nice.detach() }
    }

    /// Stops. No event follows.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        state = .closed
        signals = []
        let nice = nice
        Task { @EngineActor in nice.tearDown() }
    }

    private func lookUp(_ candidate: ICECandidate) {
        lookUpCount += 1
        Task { @EngineActor [weak self, find = configuration.lookUpPeer] in
            let addresses = await find(candidate.address)
            guard let self else { return }
            lookUpCount -= 1
            found(candidate, at: addresses.first)
        }
    }

    /// Where the name means nothing here, the peer's own checks may still show where it is (peer-reflexive).
    private func found(_ candidate: ICECandidate, at address: String?) {
        guard !isClosed else { return }
        var found = candidate
        found.address = address ?? ""
        if address == nil || !nice.addRemote(found) { unknownCount += 1 }
        endIfAllIsKnown()
    }

    private func endIfAllIsKnown() {
        guard !isClosed, hasRemoteEnded, lookUpCount == 0 else { return }
        nice.endRemoteCandidates()
    }

    private func prepareAddresses() {
        localAddresses.forEach(nice.addLocalAddress)
        if let ports = configuration.mediaPorts { nice.setPorts(ports) }
    }

    private func add(_ routes: [ICEServerRoute], of servers: ICEServerPool) {
        let isIPv6 = !localAddresses.contains { !$0.contains(":") }
        for route in routes.reversed() { nice.add(route, authorities: servers.authorities, isIPv6: isIPv6) }
    }

    private func startGathering() {
        if !nice.gather() { onEvent(.gatheringFailed) }
    }
}

extension ICEAgent {
    fileprivate func gathered(_ candidate: ICECandidate) {
        guard !isClosed else { return }
        if candidate.kind == .relayed { hasRelayed = true }
        onEvent(.candidate(configuration.relaysOnly ? candidate.withoutRelated : candidate))
        for mapped in publicAddresses.compactMap(candidate.mapped(to:)) where !isClosed { onEvent(.candidate(mapped)) }
    }

    fileprivate func gatheringEnded() {
        guard !isClosed else { return }
        nice.endGathering()
        if !hasRelayed { configuration.servers?.examine(nice.relayServers) }
        onEvent(.gatheringDone)
    }

    fileprivate func changed(to reported: ICEState) {
        // A pair that worked and answers no keep-alive any more may work again.
        let new = reported == .failed && hasBeenUp ? ICEState.disconnected : reported
        guard !isClosed, new != state else { return }
        state = new
        if isUp, !hasBeenUp {
            hasBeenUp = true
            nice.hasConnected()
        }
        onEvent(.state(new))
    }

    fileprivate func selected(_ pair: ICECandidatePair) {
        guard !isClosed, pair != selectedPair else { return }
        selectedPair = pair
        onEvent(.selectedPair(pair))
    }

    fileprivate func received(_ datagram: UnsafeMutableRawBufferPointer) {
        guard !isClosed else { return }
        onDatagram(datagram)
    }

    private func connectSignals() {
        let candidate: CandidateHandler = newCandidate
        let done: StreamHandler = gatheringDone
        let checked: StreamHandler = peerHasChecked
        let state: StateHandler = stateChanged
        let pair: PairHandler = newSelectedPair
        signals = [
            GSignalConnection(nice.agent, "new-candidate-full", owner: self, handler: candidate),
            GSignalConnection(nice.agent, "candidate-gathering-done", owner: self, handler: done),
            GSignalConnection(nice.agent, "initial-binding-request-received", owner: self, handler: checked),
            GSignalConnection(nice.agent, "component-state-changed", owner: self, handler: state),
            GSignalConnection(nice.agent, "new-selected-pair-full", owner: self, handler: pair),
        ]
    }
}

private typealias CandidateHandler =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<NiceCandidate>?, gpointer?) -> Void
private typealias StreamHandler = @convention(c) (OpaquePointer?, guint, gpointer?) -> Void
private typealias StateHandler = @convention(c) (OpaquePointer?, guint, guint, guint, gpointer?) -> Void
private typealias PairHandler =
    @convention(c) (
        OpaquePointer?, guint, guint, UnsafeMutablePointer<NiceCandidate>?, UnsafeMutablePointer<NiceCandidate>?,
        gpointer?
    ) -> Void

private func newCandidate(
    _: OpaquePointer?, _ candidate: UnsafeMutablePointer<NiceCandidate>?, _ data: gpointer?
) {
    guard let agent = CallbackTarget.owner(of: data, as: ICEAgent.self), let candidate,
        let candidate = ICECandidate(candidate)
    else { return }
    EngineActor.assumeIsolated { agent.gathered(candidate) }
}

private func gatheringDone(_: OpaquePointer?, _: guint, _ data: gpointer?) {
    guard let agent = CallbackTarget.owner(of: data, as: ICEAgent.self) else { return }
    EngineActor.assumeIsolated { agent.gatheringEnded() }
}

private func peerHasChecked(_: OpaquePointer?, _: guint, _ data: gpointer?) {
    guard let agent = CallbackTarget.owner(of: data, as: ICEAgent.self) else { return }
    EngineActor.assumeIsolated { agent.nice.peerHasChecked() }
}

private func stateChanged(_: OpaquePointer?, _: guint, _: guint, _ state: guint, _ data: gpointer?) {
    guard let agent = CallbackTarget.owner(of: data, as: ICEAgent.self) else { return }
    EngineActor.assumeIsolated { agent.changed(to: ICEState(NiceComponentState(rawValue: state))) }
}

private func newSelectedPair(
    _: OpaquePointer?, _: guint, _: guint, _ local: UnsafeMutablePointer<NiceCandidate>?,
    _ remote: UnsafeMutablePointer<NiceCandidate>?, _ data: gpointer?
) {
    guard let agent = CallbackTarget.owner(of: data, as: ICEAgent.self), let local, let remote,
        let local = ICECandidate(local), let remote = ICECandidate(remote)
    else { return }
    EngineActor.assumeIsolated {
        agent.selected(ICECandidatePair(local: local, remote: remote, relay: agent.nice.selectedRelay))
    }
}

private func receiveDatagram(
    _: OpaquePointer?, _: guint, _: guint, _ count: guint, _ bytes: UnsafeMutablePointer<gchar>?, _ data: gpointer?
) {
    guard let agent = CallbackTarget.owner(of: data, as: ICEAgent.self), let bytes else { return }
    EngineActor.assumeIsolated(with: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))) { datagram in
        agent.received(datagram)
    }
}
