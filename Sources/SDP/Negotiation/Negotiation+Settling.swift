internal import Primitives

extension Negotiation {
    /// Both descriptions are there: they become the agreement, and what changed by it is told.
    mutating func settle(
        _ local: LocalDescription, remote: RemoteTransport, transport: TransportParameters, media: AudioParameters,
        data: DataParameters?, video: VideoParameters?
    ) -> [NegotiationAction] {
        var actions: [NegotiationAction] = []
        let unchanged = agreement?.transport.flatMap { $0.isSame(as: transport) ? $0 : nil }
        if unchanged == nil { actions.append(.applyTransport(transport)) }
        if agreement?.media != media { actions.append(.applyMedia(media)) }
        actions += changed(to: data) + changed(to: video)
        agreement = Agreement(
            slots: local.slots, plan: local.plan, isBundled: local.isBundled, wish: wishReflected(in: local),
            transport: unchanged ?? transport, media: media, data: data, video: video,
            videoWish: videoWishReflected(in: local))
        state = .stable
        hasSentDescription = true
        wantsNegotiation = false
        let mids = [local.plan.mid, local.slots.carrierMID, data?.mid, video?.mid].compactMap { $0 }
        return actions + remoteCandidates.apply(remote, mids: Set(mids))
    }

    /// What is to be done when data are agreed on in this way from now on.
    func changed(to data: DataParameters?) -> [NegotiationAction] {
        guard agreement?.data != data else { return [] }
        return [data.map { .applyData($0) } ?? .stopData]
    }

    /// What is to be done when video is agreed on in this way from now on.
    func changed(to video: VideoParameters?) -> [NegotiationAction] {
        guard agreement?.video != video else { return [] }
        return [video.map { .applyVideo($0) } ?? .stopVideo]
    }

    /// An offer says what was wished for when it was made; an answer what is wished for now.
    private func wishReflected(in local: LocalDescription) -> MediaDirection {
        if case .haveLocalOffer(let offer, _) = state { return offer.direction }
        return wish
    }

    private func videoWishReflected(in local: LocalDescription) -> MediaDirection {
        guard case .haveLocalOffer(let offer, _) = state, let index = offer.slots.videoIndex,
            case .video(let video) = offer.slots[index]
        else { return videoWish }
        return video.direction
    }

    func transport(_ remote: RemoteTransport, isDTLSClient: Bool, isControlling: Bool) -> TransportParameters {
        let known = agreement?.transport
        return TransportParameters(
            local: credentials, remote: remote.credentials, isControlling: isControlling || remote.isLite,
            isRemoteLite: remote.isLite, fingerprints: remote.fingerprints,
            isDTLSClient: isDTLSClient,
            isRestart: known.map { $0.local != credentials || $0.remote != remote.credentials } ?? false)
    }

    /// - Parameter sending: formats at the peer's numbers, the one to send first.
    func media(
        plan: AudioPlan, audio: RemoteAudio, sending: [RTPMap], direction: MediaDirection, isHeld: Bool
    ) -> AudioParameters {
        let formats = { (maps: [RTPMap]) in
            maps.compactMap { map in
                NegotiatedCodec(map).map { AudioParameters.Format(codec: $0, payloadType: map.payloadType) }
            }
        }
        let redundancy = plan.formats.first(where: Redundancy.isOne)?.payloadType
        let first = formats(sending).first ?? .init(codec: .opus, payloadType: PayloadType(111))
        return AudioParameters(
            mid: plan.mid, direction: direction, isHeldByPeer: isHeld, sending: first,
            receiving: formats(plan.formats), opus: audio.opus,
            redundancy: first.codec == .opus ? redundancy.flatMap { _ in audio.redundancy?.payloadType } : nil,
            receivedRedundancy: redundancy,
            telephoneEvents: audio.telephoneEvents.first { $0.clockRateHz == first.codec.clockRateHz }?.payloadType,
            receivedTelephoneEvents: plan.formats.filter(TelephoneEvent.isOne).map(\.payloadType),
            audioLevelExtension: plan.identifier(of: HeaderExtension.audioLevel),
            midExtension: plan.identifier(of: HeaderExtension.mid),
            transportSequenceExtension: plan.identifier(of: HeaderExtension.transportSequence),
            packetTime: audio.packetTime, maximumPacketTime: audio.maximumPacketTime,
            isRTCPReducedSize: plan.isRTCPReducedSize)
    }
}

extension TransportParameters {
    /// Whether nothing is to be done when one follows the other.
    fileprivate func isSame(as other: TransportParameters) -> Bool {
        var copy = self
        copy.isRestart = other.isRestart
        return copy == other
    }
}

extension SessionDescription {
    /// Whether a bundle holds these sections.
    func bundles(_ mids: [MID]) -> Bool {
        groups.contains { $0.semantics == "BUNDLE" && Set(mids).isSubset(of: $0.mids) }
    }
}
