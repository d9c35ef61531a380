internal import Primitives

extension Negotiation {
    /// The peer sent a description.
    package mutating func receive(_ description: SignaledDescription) -> [NegotiationAction] {
        switch description.kind {
        case .offer: receiveOffer(description.text)
        case .answer: receiveAnswer(description.text)
        }
    }

    private mutating func receiveOffer(_ text: String) -> [NegotiationAction] {
        let isGlare = phase == .haveLocalOffer
        guard !isGlare || configuration.isPolite else {
            counted.ignoredOffers += 1
            return []
        }
        do throws(NegotiationError) {
            let offer = try parse(text)
            try check(offer)
            let rollback = isGlare ? rollBack() : []
            guard configuration.answersAtOnce else {
                state = .haveRemoteOffer(offer)
                return rollback + [.offerWaits]
            }
            state = .stable
            return try rollback + answer(offer) + negotiateIfNeeded()
        } catch {
            return refuse(error)
        }
    }

    /// Takes the own offer back. What it asked for is asked for again later.
    private mutating func rollBack() -> [NegotiationAction] {
        counted.rollbacks += 1
        state = .stable
        return [.rolledBack]
    }

    private func parse(_ text: String) throws(NegotiationError) -> SessionDescription {
        do throws(SDPError) {
            return try SessionDescription(parsing: text, limits: configuration.limits)
        } catch {
            throw .malformed(error)
        }
    }

    /// Throws what `answer` would throw, before anything changes.
    private func check(_ offer: SessionDescription) throws(NegotiationError) {
        guard let audio = remoteAudio(of: offer) else { return }
        let transport = try RemoteTransport(offer, audioAt: audio.index)
        _ = try isDTLSClient(answering: transport)
    }

    private func remoteAudio(of offer: SessionDescription) -> RemoteAudio? {
        RemoteAudio.choose(from: offer, preferring: agreement?.slots.audioIndex, codecs: configuration.codecs)
    }

    private func remoteData(
        of offer: SessionDescription, besides audio: RemoteAudio
    ) -> (index: Int, data: DataParameters)? {
        guard configuration.data != nil else { return nil }
        return DataParameters.choose(from: offer, preferring: agreement?.slots.dataIndex, besides: audio.mid)
    }

    private func remoteVideo(of offer: SessionDescription, besides audio: RemoteAudio) -> RemoteVideo? {
        guard let video = configuration.video else { return nil }
        return RemoteVideo.choose(
            from: offer, preferring: agreement?.slots.videoIndex, besides: audio.mid, codecs: video.codecs)
    }

    private mutating func receiveAnswer(_ text: String) -> [NegotiationAction] {
        guard case .haveLocalOffer(let offer, let isRestart) = state else {
            counted.staleAnswers += 1
            return []
        }
        do throws(NegotiationError) {
            return try apply(parse(text), to: offer, isRestart: isRestart) + negotiateIfNeeded()
        } catch {
            return refuse(error)
        }
    }
}

extension Negotiation {
    /// Answers a checked offer. The answer goes first, so that no candidate can overtake it.
    mutating func answer(_ offer: SessionDescription) throws(NegotiationError) -> [NegotiationAction] {
        guard let audio = remoteAudio(of: offer) else { return decline(offer) }
        let remote = try RemoteTransport(offer, audioAt: audio.index)
        let isClient = try isDTLSClient(answering: remote)
        let plan = AudioPlan(answering: audio, codecs: configuration.codecs)
        let direction = wish.intersection(audio.direction.reversed)
        let data = remoteData(of: offer, besides: audio)
        let video = remoteVideo(of: offer, besides: audio)
        let videoPlan = configuration.video.flatMap { local in
            video.map { VideoPlan(answering: $0, local: local, direction: videoWish) }
        }
        let slots = [SectionSlot](
            answering: offer, audio: audio, data: data?.index,
            video: video.flatMap { video in videoPlan.map { (video.index, $0) } })
        renewCredentials(answering: remote)
        let answer = local(
            slots: slots, plan: plan, direction: direction, setup: isClient ? .active : .passive,
            credentials: credentials, isBundled: audio.mid.map { offer.bundles([$0]) } ?? false)
        let isControlling = agreement?.transport?.isControlling ?? false
        let parameters = transport(remote, isDTLSClient: isClient, isControlling: isControlling)
        let media = media(
            plan: plan, audio: audio, sending: plan.formats, direction: direction, isHeld: !audio.direction.receives)
        let settled = settle(
            answer, remote: remote, transport: parameters, media: media, data: data?.data,
            video: video.flatMap { videoPlan?.answered(to: $0) })
        return [.send(SignaledDescription(kind: .answer, text: answer.text))] + settled
    }

    /// An ICE restart of the peer is answered with new credentials of ours (RFC 8445, section 9).
    private mutating func renewCredentials(answering remote: RemoteTransport) {
        guard let known = agreement?.transport, known.remote != remote.credentials else { return }
        use(configuration.makeCredentials())
        wantsRestart = false
    }

    private func isDTLSClient(answering remote: RemoteTransport) throws(NegotiationError) -> Bool {
        switch remote.setup {
        case .active: return false
        case .passive: return true
        case .actpass:
            // RFC 8842, section 5.3: the roles of an association that goes on stay.
            guard let known = agreement?.transport, known.fingerprints == remote.fingerprints else {
                return configuration.answersAsDTLSClient
            }
            return known.isDTLSClient
        case .holdconn: throw .invalidSetup(.holdconn)
        }
    }

    /// Video and data end with audio.
    private func stopOthers() -> [NegotiationAction] {
        changed(to: DataParameters?.none) + changed(to: VideoParameters?.none)
    }

    /// Rejects every section of an offer that has nothing for us.
    private mutating func decline(_ offer: SessionDescription) -> [NegotiationAction] {
        let plan = agreement?.plan ?? AudioPlan(offering: configuration.codecs)
        let answer = local(
            slots: [SectionSlot](answering: offer, audio: nil), plan: plan, direction: .inactive, setup: .passive,
            credentials: credentials, isBundled: false)
        hasSentDescription = true
        state = .stable
        let stopped = stopOthers()
        agreement = Agreement(
            slots: answer.slots, plan: plan, isBundled: true, wish: wish, transport: agreement?.transport, media: nil)
        return [.stopMedia] + stopped + [.send(SignaledDescription(kind: .answer, text: answer.text))]
    }
}

extension Negotiation {
    private mutating func apply(
        _ answer: SessionDescription, to offer: LocalDescription, isRestart: Bool
    ) throws(NegotiationError) -> [NegotiationAction] {
        guard answer.sections.count == offer.slots.count, let index = offer.slots.audioIndex else {
            throw .sectionsChanged(offered: offer.slots.count, answered: answer.sections.count)
        }
        let section = answer.sections[index]
        guard !section.isRejected else { return declined(offer) }
        if let offered = offer.plan.mid, let answered = section.mid, offered != answered {
            throw .midChanged(offered: offered.rawValue, answered: answered.rawValue)
        }
        guard let audio = RemoteAudio(answer, at: index, codecs: configuration.codecs) else { throw .noCommonCodec }
        guard section.isRTCPMuxed else { throw .missingRTCPMux }
        let remote = try RemoteTransport(answer, audioAt: index)
        let isClient = try isDTLSClient(answeredBy: remote)
        var offer = offer
        let data = takeData(answer, besides: section.mid, into: &offer.slots)
        let video = takeVideo(answer, besides: section.mid, into: &offer.slots)
        return try accept(
            audio, data: data, video: video, remote: remote, isDTLSClient: isClient, offer: offer, isRestart: isRestart)
    }

    /// What the answer says to our data section, whose place is given up where it was declined.
    private func takeData(
        _ answer: SessionDescription, besides audio: MID?, into slots: inout [SectionSlot]
    ) -> DataParameters? {
        guard let index = slots.dataIndex, case .data(let plan) = slots[index] else { return nil }
        let data = DataParameters(answer, at: index, besides: audio)
        guard let data, data.mid == plan.mid else {
            slots[index] = .rejecting(plan.section(port: 0))
            return nil
        }
        return data
    }

    /// What the answer says to our video section, likewise.
    private func takeVideo(
        _ answer: SessionDescription, besides audio: MID?, into slots: inout [SectionSlot]
    ) -> VideoParameters? {
        guard let index = slots.videoIndex, case .video(let plan) = slots[index] else { return nil }
        let video = RemoteVideo(
            answer, at: index, besides: audio, codecs: configuration.video?.codecs ?? [])
        guard let video, video.mid == plan.mid, let narrowed = plan.narrowed(to: video) else {
            slots[index] = .rejecting(plan.section(port: 0))
            return nil
        }
        slots[index] = .video(narrowed)
        return narrowed.parameters(
            video, sending: video.formats, direction: plan.direction.intersection(video.direction.reversed))
    }

    private mutating func accept(
        _ audio: RemoteAudio, data: DataParameters?, video: VideoParameters?, remote: RemoteTransport,
        isDTLSClient: Bool,
        offer: LocalDescription, isRestart: Bool
    ) throws(NegotiationError) -> [NegotiationAction] {
        var offer = offer
        offer.plan = offer.plan.narrowed(to: audio)
        guard offer.plan.formats.contains(where: { NegotiatedCodec($0) != nil }) else { throw .noCommonCodec }
        // The peer asks for a restart of its own, in a place where it may not: it gets a whole one.
        let isUnasked = agreement?.transport.map { !isRestart && $0.remote != remote.credentials } ?? false
        wantsRestart = isUnasked || wantsRestart && !isRestart
        use(offer.credentials)
        let isHeld = offer.direction.sends ? !audio.direction.receives : agreement?.media?.isHeldByPeer ?? false
        let media = media(
            plan: offer.plan, audio: audio, sending: audio.formats,
            direction: offer.direction.intersection(audio.direction.reversed), isHeld: isHeld)
        let isControlling = agreement?.transport?.isControlling ?? true
        let parameters = transport(remote, isDTLSClient: isDTLSClient, isControlling: isControlling)
        return settle(offer, remote: remote, transport: parameters, media: media, data: data, video: video)
    }

    private func isDTLSClient(answeredBy remote: RemoteTransport) throws(NegotiationError) -> Bool {
        switch remote.setup {
        case .active: return false
        case .passive: return true
        case .actpass, .holdconn: throw .invalidSetup(remote.setup)
        }
    }

    /// The peer rejected our audio.
    private mutating func declined(_ offer: LocalDescription) -> [NegotiationAction] {
        state = .stable
        wantsRestart = false
        var slots = offer.slots
        if let index = slots.audioIndex {
            var section = MediaSection(kind: .audio, port: 0, profile: offer.plan.profile, formats: ["0"])
            section.lines = [SDPLine(type: "c", value: "IN IP4 0.0.0.0")]
            if let mid = offer.plan.mid { section.add("mid", mid.rawValue) }
            slots[index] = .rejecting(section)
        }
        if let index = slots.dataIndex, case .data(let plan) = slots[index] {
            slots[index] = .rejecting(plan.section(port: 0))
        }
        if let index = slots.videoIndex, case .video(let plan) = slots[index] {
            slots[index] = .rejecting(plan.section(port: 0))
        }
        let stopped = stopOthers()
        agreement = Agreement(
            slots: slots, plan: offer.plan, isBundled: offer.isBundled, wish: wish, transport: agreement?.transport,
            media: nil)
        return [.stopMedia] + stopped
    }
}
