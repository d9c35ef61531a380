import MediaEngine
import Primitives
import RTP
import Reactor
import SDP
import Signaling
import Transport

/// Offers, answers, candidates: between the room and the transport.
extension PeerSession {
    static func makeNegotiation(member: RoomMember, context: Context, transport: PeerTransport) -> Negotiation {
        let local = transport.localParameters
        var configuration = NegotiationConfiguration(
            // Whose id is the smaller one gives way: both sides come to the same answer.
            isPolite: context.myID.rawValue < member.id.rawValue,
            fingerprint: Fingerprint(local.fingerprint),
            sessionID: String(UInt64.random(in: 1...UInt64(Int64.max))),
            makeCredentials: { [weak transport] in
                EngineActor.assumeIsolated { ICEParameters(restarting: transport) }
            })
        configuration.packetTime = context.packetTime
        configuration.codecs = context.codecs
        configuration.data = .init(
            sctpPort: SCTPTransport.localPort, maximumMessageSize: SCTPTransport.messageLimit)
        configuration.video = context.videoCodec.map { NegotiationConfiguration.LocalVideo(preferring: $0) }
        return Negotiation(
            configuration, credentials: ICEParameters(local.credentials), direction: context.direction,
            videoDirection: context.direction)
    }

    /// Takes what the peer said through the room.
    func receive(_ message: PeerMessage) {
        guard !isClosed else { return }
        switch message {
        case .description(let description):
            let kind: SignaledDescription.Kind = description.kind == .offer ? .offer : .answer
            perform(negotiation.receive(SignaledDescription(kind: kind, text: description.sdp)))
        case .candidate(let candidate):
            perform(
                negotiation.receive(
                    SignaledCandidate(
                        text: candidate.candidate, mid: candidate.mid.map { MID($0) }, ufrag: candidate.ufrag)))
        case .commitment(let commitment): perform(authentication?.receive(commitment))
        case .reveal(let reveal): perform(authentication?.receive(reveal))
        case .view(let wish):
            pictureWish = wish
            owner?.peerVideoChanged(self)
        case .limit(let limit): receive(limit)
        case .status, .report: break
        }
    }

    /// Says which way audio flows: nothing on hold.
    func setHeld(_ isHeld: Bool) {
        perform(negotiation.setDirection(isHeld ? .inactive : context.direction))
        perform(negotiation.setVideoDirection(isHeld ? .inactive : context.direction))
    }

    func restartICE() {
        perform(negotiation.restartICE())
    }

    /// The way through the room is back: an offer that may have been lost goes out again.
    func signalingRestored() {
        perform(negotiation.signalingRestored())
        perform(authentication?.signalingRestored())
        if link != .connected { restartICE() }
    }

    func perform(_ actions: [NegotiationAction]) {
        for action in actions { perform(action) }
    }

    private func perform(_ action: NegotiationAction) {
        switch action {
        case .send(let description):
            let kind: PeerDescription.Kind = description.kind == .offer ? .offer : .answer
            owner?.peer(self, says: .description(PeerDescription(kind: kind, sdp: description.text)))
        case .sendCandidate(let candidate):
            owner?.peer(
                self,
                says: .candidate(
                    PeerCandidate(candidate: candidate.text, mid: candidate.mid?.rawValue, ufrag: candidate.ufrag)))
        case .applyTransport(let parameters): apply(parameters)
        case .applyMedia(let parameters): apply(parameters)
        case .stopMedia:
            media = nil
            if !hasConnected { setLink(.failed("no audio codec suits both sides; audio.codecs lists this side's")) }
            owner?.peerChanged(self)
        case .applyVideo(let parameters): apply(parameters)
        case .stopVideo:
            video = nil
            departureChanged()
            owner?.peerVideoChanged(self)
        case .applyData(let parameters): apply(parameters)
        case .stopData: transport.stopData()
        case .addCandidate(let candidate): transport.addRemoteCandidate(candidate.text)
        case .endOfCandidates: transport.endOfRemoteCandidates()
        case .offerWaits: perform(negotiation.answer())
        case .rolledBack: break
        case .refuse(let error):
            Log.warning("call", "\(member.id): the peer's description cannot be used: \(error)")
            if !hasConnected { setLink(.failed("the other side's offer cannot be used: \(error)")) }
        }
    }

    private func apply(_ parameters: TransportParameters) {
        let fingerprints = parameters.fingerprints.compactMap { DTLSFingerprint("\($0.algorithm) \($0.value)") }
        do throws(TransportError) {
            try transport.setRemote(
                ICECredentials(ufrag: parameters.remote.ufrag, password: parameters.remote.password),
                fingerprints: fingerprints, role: parameters.isDTLSClient ? .client : .server)
            if parameters.isRestart { transport.gatherCandidates() }
        } catch {
            setLink(.failed(error.description))
        }
        // Several hashes could be of several certificates, so only one alone says which certificate was proven.
        if fingerprints.count == 1, fingerprints[0].hash == .sha256 {
            remoteFingerprint = CertificateFingerprint(bytes: fingerprints[0].digest)
        }
    }

    private func apply(_ parameters: AudioParameters) {
        let wasExpecting = isExpectingMedia
        media = parameters
        if isExpectingMedia != wasExpecting { watchLiveness() }
        rtcp.senders[0].payloadType = parameters.sending.payloadType
        rtcp.senders[0].levelExtensionID = parameters.audioLevelExtension
        rtcp.senders[0].mid = HeaderExtensionElement(mid: parameters.mid, id: parameters.midExtension)
        rtcp.senders[0].clockRateHz = Int32(parameters.sending.codec.clockRateHz)
        departureChanged()
        owner?.peerChanged(self)
    }

    private func apply(_ parameters: VideoParameters) {
        rtcp.senders[Self.videoStream].mid = HeaderExtensionElement(mid: parameters.mid, id: parameters.midExtension)
        rtcp.senders[Self.videoStream].departure = parameters.departure
        if let video, video.parameters.isSameStream(as: parameters) {
            video.parameters = parameters
        } else {
            rtcp.senders[Self.videoStream].payloadType = parameters.sending.payloadType
            let new = PeerVideo(parameters, of: self, after: video, at: .now())
            new.onFrame = { [weak self] frame in self.map { $0.owner?.peer($0, received: frame) } }
            new.onKeyFrameWanted = { [weak self] layer in self.map { $0.owner?.peer($0, wantsKeyFrameOf: layer) } }
            video = new
        }
        departureChanged()
        owner?.peerVideoChanged(self)
    }

    /// Pictures decide, if there are any; a bundle has one identifier for each extension.
    private func departureChanged() {
        let ofSound = media?.transportSequenceExtension.map { DepartureExtension.sequenceNumber(id: $0) }
        rtcp.senders[0].departure = nil
        path.setDeparture(video.map(\.parameters.departure) ?? ofSound, at: .now())
    }

    /// Whether pictures of ours reach the peer now.
    var canSendVideo: Bool {
        link == .connected && !isClosed && video?.parameters.direction.sends == true
    }

    func transportEvent(_ event: TransportEvent) {
        switch event {
        case .candidate(let line):
            if let candidate = try? CandidateAttribute(parsing: line) { perform(negotiation.gathered(candidate)) }
        case .gatheringDone: perform(negotiation.gatheringDone())
        case .state(let state): took(state)
        case .selectedPair: owner?.peerChanged(self)
        case .failure(let error):
            Log.warning("call", "\(member.id): \(error)")
            setLink(.failed(error.description))
        case .remoteClosed: owner?.peerGone(self, reason: goodbye ?? "hung up")
        case .data(let event): took(event)
        }
    }

    private func took(_ state: TransportState) {
        switch state {
        case .connected:
            if !hasConnected {
                hasConnected = true
                watchLiveness()
                if let remoteFingerprint { perform(authentication?.proved(remoteFingerprint)) }
                setLink(.connected)
                owner?.peerConnected(self)
                owner?.peerVideoChanged(self)
                runRTCP { $0.tick(at: $1, into: &$2) }
            } else {
                setLink(.connected)
            }
        case .disconnected: if hasConnected { setLink(.lost) }
        case .failed: if hasConnected { restartICE() }
        case .new, .connecting, .closed: break
        }
    }
}

extension HeaderExtensionElement {
    /// The element that names a media section; `nil` where it was not negotiated, or the name is longer than an element.
    fileprivate init?(mid: MID?, id: UInt8?) {
        guard let bytes = mid.map({ Array($0.rawValue.utf8) }), let id, (1...16).contains(bytes.count) else {
            return nil
        }
        self.init(id: id, value: bytes)
    }
}

extension Fingerprint {
    /// The transport's fingerprint in the words of session descriptions.
    init(_ fingerprint: DTLSFingerprint) {
        guard let converted = Fingerprint(algorithm: fingerprint.hash.rawValue, value: fingerprint.value) else {
            preconditionFailure("a fingerprint of ours is not one: \(fingerprint)")
        }
        self = converted
    }
}

extension ICEParameters {
    init(_ credentials: ICECredentials) {
        guard let converted = ICEParameters(ufrag: credentials.ufrag, password: credentials.password) else {
            preconditionFailure("credentials of ours are not valid")
        }
        self = converted
    }

    /// The credentials of a new generation; the present ones where the transport cannot make any.
    @EngineActor
    init(restarting transport: PeerTransport?) {
        let credentials = try? transport?.restartICE()
        var random = SystemRandomNumberGenerator()
        self =
            (credentials ?? transport?.localParameters.credentials).map { ICEParameters($0) }
            ?? ICEParameters(using: &random)
    }
}
