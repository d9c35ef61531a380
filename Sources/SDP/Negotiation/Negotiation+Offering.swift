internal import Primitives

extension Negotiation {
    /// Offers what is wished for and not yet agreed on, when the state allows it.
    mutating func negotiateIfNeeded() -> [NegotiationAction] {
        guard case .stable = state, needsNegotiation else { return [] }
        let offer = makeOffer()
        state = .haveLocalOffer(offer, isRestart: wantsRestart)
        hasSentDescription = true
        wantsNegotiation = false
        return [.send(SignaledDescription(kind: .offer, text: offer.text))]
    }

    private var needsNegotiation: Bool {
        guard let agreement else { return wantsNegotiation }
        return wantsNegotiation || wantsRestart || agreement.media != nil && agreement.wish != wish
            || agreement.video != nil && agreement.videoWish != videoWish
    }

    private mutating func makeOffer() -> LocalDescription {
        var slots = agreement?.slots ?? []
        var plan = agreement?.plan ?? AudioPlan(offering: configuration.codecs)
        if slots.audioIndex == nil {
            plan = AudioPlan(offering: configuration.codecs)
            plan.mid = unusedMID(in: slots)
            slots.append(.audio)
        }
        // Later a peer that has shown no section for them does without video and data.
        if agreement == nil {
            if let video = configuration.video {
                let mid = unusedMID(in: slots, besides: plan.mid)
                slots.append(.video(VideoPlan(offering: video, mid: mid, direction: videoWish)))
            }
            if configuration.data != nil {
                slots.append(.data(DataPlan(mid: unusedMID(in: slots, besides: plan.mid))))
            }
        }
        if let index = slots.videoIndex, case .video(var video) = slots[index] {
            video.direction = videoWish
            slots[index] = .video(video)
        }
        let fresh = wantsRestart ? configuration.makeCredentials() : credentials
        return local(
            slots: slots, plan: plan, direction: wish, setup: .actpass, credentials: fresh,
            isBundled: agreement?.isBundled ?? true)
    }

    private func unusedMID(in slots: [SectionSlot], besides audio: MID? = nil) -> MID {
        let used = slots.map { slot -> MID? in
            switch slot {
            case .audio: audio
            case .data(let data): data.mid
            case .video(let video): video.mid
            case .rejected(let section), .carrier(let section): section.mid
            }
        }
        var number = slots.count
        while used.contains(MID("\(number)")) { number += 1 }
        return MID("\(number)")
    }

    /// The next description of ours, with all candidates that its ICE generation has so far.
    mutating func local(
        slots: [SectionSlot], plan: AudioPlan, direction: MediaDirection, setup: DTLSSetup,
        credentials: ICEParameters, isBundled: Bool
    ) -> LocalDescription {
        version += 1
        let isPresent = credentials == self.credentials
        return LocalDescription(
            origin: SDPOrigin(sessionID: configuration.sessionID, version: version), slots: slots, plan: plan,
            data: configuration.data, direction: direction, setup: setup, credentials: credentials,
            fingerprint: configuration.fingerprint,
            opus: configuration.opus, packetTime: configuration.packetTime,
            candidates: isPresent ? localCandidates : [], hasAllCandidates: isPresent && hasAllLocalCandidates,
            isBundled: isBundled)
    }
}

extension LocalDescription {
    /// The section whose transport the candidates are for.
    var transportMID: MID? {
        slots.carrierMID ?? plan.mid
    }
}
