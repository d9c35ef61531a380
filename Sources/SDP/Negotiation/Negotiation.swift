import Primitives

/// Offer and answer with one peer: JSEP (RFC 9429) with one audio section and, beside it, one for video and one for data
/// channels, by the perfect-negotiation pattern.
///
/// Either side may offer at any time. When both do, the polite side takes its offer back and answers; nothing of an
/// offer is applied before its answer is there, so taking it back costs nothing. A wish that could not be offered is
/// offered as soon as it can be. Each event returns what the owner has to do, in order.
///
/// Left out of JSEP: provisional answers, several sections of a kind, video or data without audio or on a transport of
/// their own (declined with port 0), RTCP on its own port, unencrypted RTP. `a=setup` of an answer is accepted in any order of arrival, once.
package struct Negotiation: Sendable {
    /// The signalling state (RFC 9429, section 3.2).
    package enum Phase: Sendable {
        case stable
        case haveLocalOffer
        case haveRemoteOffer
    }

    enum State: Sendable {
        case stable
        case haveLocalOffer(LocalDescription, isRestart: Bool)
        case haveRemoteOffer(SessionDescription)
    }

    /// What the last exchange of offer and answer settled.
    struct Agreement: Sendable {
        var slots: [SectionSlot]
        var plan: AudioPlan
        var isBundled: Bool
        /// The direction that we wished for at the time.
        var wish: MediaDirection
        var transport: TransportParameters?
        var media: AudioParameters?
        var data: DataParameters?
        var video: VideoParameters?
        /// The direction of video that we wished for at the time.
        var videoWish = MediaDirection.sendrecv
    }

    let configuration: NegotiationConfiguration
    var state = State.stable
    var agreement: Agreement?
    /// Ours as applied: the generation that `localCandidates` belong to.
    private(set) var credentials: ICEParameters
    var wish: MediaDirection
    var videoWish: MediaDirection
    var wantsRestart = false
    var wantsNegotiation = false
    var version: UInt64 = 0
    var localCandidates: [CandidateAttribute] = []
    var hasAllLocalCandidates = false
    var hasSentDescription = false
    var remoteCandidates: CandidateQueue
    var counted = NegotiationCounters()

    /// - Parameter credentials: what the transport's ICE agent has been started with.
    package init(
        _ configuration: NegotiationConfiguration, credentials: ICEParameters, direction: MediaDirection = .sendrecv,
        videoDirection: MediaDirection = .sendrecv
    ) {
        self.configuration = configuration
        self.credentials = credentials
        wish = direction
        videoWish = videoDirection
        remoteCandidates = CandidateQueue(limit: configuration.limits.candidateCount)
    }

    package var phase: Phase {
        switch state {
        case .stable: .stable
        case .haveLocalOffer: .haveLocalOffer
        case .haveRemoteOffer: .haveRemoteOffer
        }
    }

    /// What was last agreed on about audio; `nil`: nothing yet, or it was declined.
    package var media: AudioParameters? {
        agreement?.media
    }

    /// What was last agreed on about data channels; `nil`: there are none.
    package var data: DataParameters? {
        agreement?.data
    }

    /// What was last agreed on about video; `nil`: there is none.
    package var video: VideoParameters? {
        agreement?.video
    }

    /// What was last agreed on about the transport.
    package var transport: TransportParameters? {
        agreement?.transport
    }

    package var counters: NegotiationCounters {
        var counters = counted
        counters.ignoredCandidates += remoteCandidates.ignoredCount
        return counters
    }

    /// Makes the first offer, unless the peer was faster.
    package mutating func start() -> [NegotiationAction] {
        wantsNegotiation = wantsNegotiation || agreement == nil
        return negotiateIfNeeded()
    }

    /// Says which way audio should flow: `sendrecv` in a call, `inactive` on hold.
    package mutating func setDirection(_ direction: MediaDirection) -> [NegotiationAction] {
        wish = direction
        return negotiateIfNeeded()
    }

    /// Says which way video should flow, where it was agreed on.
    package mutating func setVideoDirection(_ direction: MediaDirection) -> [NegotiationAction] {
        videoWish = direction
        return negotiateIfNeeded()
    }

    /// Asks for new ICE credentials and a new search for a path; before the first agreement there is nothing to ask.
    package mutating func restartICE() -> [NegotiationAction] {
        guard agreement?.transport != nil else { return [] }
        wantsRestart = true
        return negotiateIfNeeded()
    }

    /// Answers the offer that waits, where `answersAtOnce` is off.
    package mutating func answer() -> [NegotiationAction] {
        guard case .haveRemoteOffer(let offer) = state else { return [] }
        state = .stable
        do throws(NegotiationError) {
            return try answer(offer) + negotiateIfNeeded()
        } catch {
            return refuse(error)
        }
    }

    /// The signalling is back after messages may have been lost: an offer that is still open goes out again.
    package mutating func signalingRestored() -> [NegotiationAction] {
        guard case .haveLocalOffer(let offer, _) = state else { return [] }
        return [.send(SignaledDescription(kind: .offer, text: offer.text))]
    }

    /// The ICE agent found one of our candidates, of the generation that was last applied.
    package mutating func gathered(_ candidate: CandidateAttribute) -> [NegotiationAction] {
        guard localCandidates.count < configuration.limits.candidateCount / 2 else { return [] }
        localCandidates.append(candidate)
        return hasSentDescription ? [.sendCandidate(signaled(candidate.text))] : []
    }

    /// The ICE agent has found all of our candidates.
    package mutating func gatheringDone() -> [NegotiationAction] {
        guard !hasAllLocalCandidates else { return [] }
        hasAllLocalCandidates = true
        return hasSentDescription ? [.sendCandidate(signaled(""))] : []
    }

    /// The peer told us one of its candidates.
    package mutating func receive(_ candidate: SignaledCandidate) -> [NegotiationAction] {
        guard !candidate.text.isEmpty else { return remoteCandidates.receive(candidate, parsed: nil) }
        guard let parsed = try? CandidateAttribute(parsing: candidate.text) else {
            counted.malformedCandidates += 1
            return []
        }
        return remoteCandidates.receive(candidate, parsed: parsed)
    }

    private func signaled(_ text: String) -> SignaledCandidate {
        var mid = agreement.flatMap { $0.slots.carrierMID ?? $0.plan.mid }
        if case .haveLocalOffer(let offer, _) = state { mid = offer.transportMID }
        return SignaledCandidate(text: text, mid: mid, ufrag: credentials.ufrag)
    }

    /// Enters a new ICE generation, which has candidates of its own.
    mutating func use(_ fresh: ICEParameters) {
        guard fresh != credentials else { return }
        credentials = fresh
        localCandidates = []
        hasAllLocalCandidates = false
    }

    mutating func refuse(_ error: NegotiationError) -> [NegotiationAction] {
        counted.refusedDescriptions += 1
        return [.refuse(error)]
    }
}
