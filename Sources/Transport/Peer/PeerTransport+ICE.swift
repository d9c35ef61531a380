import Primitives
import Reactor

extension PeerTransport {
    static func makeAgent(
        _ configuration: TransportConfiguration, _ isControlling: Bool, _ box: WeakBox<PeerTransport>
    ) throws(TransportError) -> ICEAgent {
        let own = WeakBox<ICEAgent>()
        let agent = try ICEAgent(
            configuration, isControlling: isControlling,
            onEvent: { event in
                guard let agent = own.value else { return }
                box.value?.handle(event, from: agent)
            },
            onDatagram: { box.value?.receive($0) })
        own.value = agent
        return agent
    }

    /// Takes what signalling says of the peer: its credentials, its fingerprints and which side of DTLS is ours.
    ///
    /// Other credentials than before mean that the peer has restarted ICE, and this side then does too: gather and
    /// signal `localParameters` anew. Fingerprints and role are fixed by the first call.
    package func setRemote(
        _ credentials: ICECredentials, fingerprints: [DTLSFingerprint], role: DTLSRole
    ) throws(TransportError) {
        guard state != .closed else { return }
        guard !fingerprints.isEmpty else {
            throw TransportError(.remoteDescription, "the peer names no fingerprint that hoot can check")
        }
        guard remoteFingerprints.isEmpty || !Set(fingerprints).isDisjoint(with: remoteFingerprints) else {
            throw TransportError(.remoteDescription, "the peer changed its certificate; it needs a new connection")
        }
        try setRemote(credentials)
        guard dtls == nil else { return }
        remoteFingerprints = fingerprints
        begun = .now()
        try startDTLS(role)
    }

    private func setRemote(_ credentials: ICECredentials) throws(TransportError) {
        // While a restart of ours waits for its answer, an offer of the old generation changes nothing.
        if nextAgent != nil, agent.remote == credentials { return }
        if let known = (nextAgent ?? agent).remote {
            guard known != credentials else { return }
            _ = try restartICE()
        }
        let target = nextAgent ?? agent
        guard target.setRemote(credentials) else {
            throw TransportError(.remoteDescription, "the peer's ICE credentials cannot be used")
        }
        takeHeldCandidates(target)
    }

    /// Takes one candidate line of the peer. What cannot be used is counted.
    package func addRemoteCandidate(_ line: String) {
        guard let candidate = try? ICECandidate(line: line) else {
            counters.drops.candidates += 1
            return
        }
        diagnosis.remote.insert(candidate.kind)
        let target = nextAgent ?? agent
        guard target.remote == nil else {
            if !target.addRemote(candidate) { counters.drops.candidates += 1 }
            return
        }
        guard heldCandidates.count < Self.heldCandidateLimit else {
            counters.drops.candidates += 1
            return
        }
        heldCandidates.append(candidate)
    }

    /// The peer has no more candidates: without a working pair ICE may now fail.
    package func endOfRemoteCandidates() {
        (nextAgent ?? agent).endRemoteCandidates()
    }

    private func takeHeldCandidates(_ target: ICEAgent) {
        for candidate in heldCandidates where !target.addRemote(candidate) {
            counters.drops.candidates += 1
        }
        heldCandidates = []
    }

    private func handle(_ event: ICEAgent.Event, from source: ICEAgent) {
        switch event {
        case .candidate(let candidate):
            diagnosis.local.insert(candidate.kind)
            emit(.candidate(candidate.description))
        case .gatheringDone:
            emit(.gatheringDone)
            diagnosis.relaysOnly = configuration.relaysOnly
            diagnosis.hasRelays = configuration.servers?.hasRelays == true
            if configuration.relaysOnly, source === agent, !diagnosis.local.contains(.relayed) {
                fail(TransportError(.ice, diagnosis.description))
            }
        case .gatheringFailed:
            fail(TransportError(.ice, "no UDP port could be opened for media; perhaps there is no network"))
        case .state(let new): stateChanged(to: new, of: source)
        case .selectedPair(let pair):
            counters.selectedPairChanges += 1
            if source === agent { emit(.selectedPair(pair)) }
        }
    }

    private func stateChanged(to new: ICEState, of source: ICEAgent) {
        if source === nextAgent {
            if new == .connected || new == .completed { adopt(source) }
            if new == .failed { armGrace() }
            return
        }
        guard source === agent else { return }
        counters.iceState = new
        switch new {
        case .checking: if state == .new { enter(.connecting) }
        case .connected, .completed: pairWorks()
        case .disconnected:
            if state == .connected { enter(.disconnected) }
            armGrace()
        case .failed: armGrace()
        case .new, .closed: break
        }
    }

    /// The restarted generation works: it takes over, and the old one goes.
    private func adopt(_ next: ICEAgent) {
        agent.close()
        agent = next
        nextAgent = nil
        counters.iceState = next.state
        if let pair = next.selectedPair { emit(.selectedPair(pair)) }
        pairWorks()
    }

    private func pairWorks() {
        cancelGrace()
        if case .failed = dtls?.state { return }
        if state == .new || state == .failed, link == nil { enter(.connecting) }
        let waiting = held
        held = []
        for datagram in waiting { datagram.withUnsafeBytes { transmit($0) } }
        guard let dtls else { return }
        if dtls.role == .client { dtls.start() }
        pumpDTLS()
    }
}
