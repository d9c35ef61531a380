import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor
import Signaling

/// What is encoded, and for whom.
extension VideoCoordinator {
    /// Shares the bandwidth out anew, five times a second while pictures are sent.
    func replan() {
        if sendsBlack == isLive { stopEncoding() }
        sendsBlack = !isLive
        let takers = takers
        guard isLive || !takers.isEmpty, let call = activeCall else {
            stopEncoding()
            return tell([:], codec: nil)
        }
        planTimer?.arm(after: Self.planInterval)
        let maximum = Double(settings.integer("video.bitrate"))
        let codec = commonCodec(of: takers.values.compactMap(\.video))
        var peers: [MemberID: VideoLayerPlan<MemberID>.Peer] = [:]
        for (id, peer) in takers {
            guard let video = peer.video, video.takes(codec) else { continue }
            video.setMaximum(maximum)
            // Black is as black when it is small.
            let wish = isLive ? peer.pictureWish.layer.planned : .low
            // A screen may stand still after any frame, and black comes once a second.
            peers[id] = .init(
                wish: wish, share: video.share(maximum: maximum),
                mayMissFrames: isLive && choice?.isText != true && video.canBeProbed)
        }
        plan.update(peers, maximum: maximum)
        encode(codec)
        for (id, peer) in call.peers {
            peer.video?.use(
                plan.layers[id], isWanted: isLive && peers[id]?.wish != nil, baseAlone: plan.baseAlone.contains(id))
        }
        for layer in Set(takers.values.compactMap { $0.video?.awaitedLayer }) { startAwaited(layer) }
        tell(isLive ? takers : [:], codec: codec)
    }

    /// Whether somebody has to be sent black pictures while there are no others.
    var needsBlack: Bool { !isLive && !takers.isEmpty }

    /// Who can be sent pictures now: while nothing is shown, those who take a missing stream for a fault (Q17).
    private var takers: [MemberID: PeerSession] {
        activeCall?.peers.filter { _, peer in
            peer.canSendVideo && (isLive || peer.needsPictures && peer.pictureWish.layer != .none)
        } ?? [:]
    }

    func stopEncoding() {
        for peer in activeCall?.peers.values.map(\.video) ?? [] { peer?.use(nil, isWanted: false) }
        for layer in Array(encoders.keys) { removeEncoder(layer) }
        plan = VideoLayerPlan()
    }

    /// The encoding that is set, where everybody takes it; else the one that most people take.
    private func commonCodec(of peers: [PeerVideo]) -> VideoCodec {
        let preferred = VideoCodec(rawValue: settings.string("video.codec")) ?? .vp8
        let codecs = [preferred] + VideoCodec.allCases.filter { $0 != preferred }
        let counts = codecs.map { codec in peers.count { $0.takes(codec) } }
        return codecs[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
    }

    /// Encodes what the plan has layers for.
    private func encode(_ codec: VideoCodec) {
        if let bitrate = plan.highBitrate {
            _ = ladder.update(bitrate: bitrate, at: .now())
            useEncoder(
                .high, codec, bitrate: bitrate, height: choice?.isText == true ? format.size.height : ladder.height)
        } else {
            removeEncoder(.high)
        }
        if let bitrate = plan.lowBitrate {
            useEncoder(.low, codec, bitrate: bitrate, height: VideoLayer.lowSize.height)
        } else {
            removeEncoder(.low)
        }
    }

    private func useEncoder(_ layer: VideoLayer, _ codec: VideoCodec, bitrate: Double, height: Int) {
        // Headers and repetitions take their part of what the path carries.
        let net = Int(bitrate * 0.92)
        if let encoder = encoders[layer], encoder.codec == codec { return encoder.set(bitrate: net, height: height) }
        guard let bell, let capture else { return }
        removeEncoder(layer)
        let encoder = LayerEncoder(
            codec: codec, frameRate: format.frameRate, bitrate: net, height: height
        ) { bell.ring() }
        encoders[layer] = encoder
        capture.add(encoder, audience: .peers(needsBlack: sendsBlack), format: format)
    }

    func removeEncoder(_ layer: VideoLayer) {
        guard let encoder = encoders.removeValue(forKey: layer) else { return }
        capture?.remove(encoder)
    }

    /// Sends what has been encoded.
    func drain() {
        for (layer, encoder) in encoders {
            for output in encoder.takeOutputs() {
                for peer in activeCall?.peers.values.map(\.video) ?? [] { peer?.send(output, of: layer) }
            }
            if let failure = encoder.counters.failure, reason == nil {
                reason = failure
                onEvent?(.warning, nil, "the picture cannot be coded: \(failure)")
                apply()
            }
        }
    }

    /// Somebody was sent nothing of a layer yet: a key frame as soon as there may be one.
    private func startAwaited(_ layer: VideoLayer) {
        keyFrameWanted(layer)
        guard let opening = keyFrames[layer]?.opening, opening > .now() else { return }
        planTimer?.arm(at: earlier(planTimer?.deadline, opening))
    }

    /// A peer needs a key frame of a layer.
    func keyFrameWanted(_ layer: VideoLayer) {
        let now = MonoTime.now()
        keyFrames[layer, default: KeyFrameThrottle()].request(at: now)
        guard keyFrames[layer]?.take(at: now) == true, let encoder = encoders[layer] else { return }
        encoder.requestKeyFrame()
        if choice?.isText == true { capture?.repeatPicture(for: encoder) }
    }
}

/// Who gets less than they wish, and why.
extension VideoCoordinator {
    /// Tells the others, and the people here, who of `takers` gets less than they wish.
    private func tell(_ takers: [MemberID: PeerSession], codec: VideoCodec?) {
        var worst: VideoLimit?
        for (id, peer) in activeCall?.peers ?? [:] {
            let wish = takers[id] == nil ? nil : peer.pictureWish.layer.planned
            let isUnable = wish != nil && codec.map { peer.video?.takes($0) == false } ?? false
            note(isUnable ? codec : nil, isUnintelligibleTo: peer)
            let limit = isUnable ? nil : limit(wish: wish, layer: plan.layers[id])
            let carried: PictureWish.Layer = limit == .soundOnly ? .none : limit == .smallPicture ? .low : .high
            if carried != peer.toldLimit {
                peer.toldLimit = carried
                peer.owner?.peer(peer, says: .limit(PictureLimit(layer: carried)))
            }
            if limit == .soundOnly || worst == nil { worst = limit ?? worst }
        }
        note(worst)
    }

    private func limit(wish: VideoLayer?, layer: VideoLayer?) -> VideoLimit? {
        guard let wish else { return nil }
        guard let layer else { return .soundOnly }
        return wish == .high && (layer == .low || isHighSmall) ? .smallPicture : nil
    }

    /// Whether nobody's path carries more than a low layer.
    private var isHighSmall: Bool {
        choice?.isText != true && ladder.height <= VideoLayer.lowSize.height
            && format.size.height > VideoLayer.lowSize.height
    }

    private func note(_ new: VideoLimit?) {
        guard new != limit else { return }
        limit = new
        switch new {
        case .soundOnly:
            onEvent?(.videoLimited, nil, "the network carries only sound to some: they are sent no picture")
        case .smallPicture: onEvent?(.videoLimited, nil, "the network carries only a small picture to some")
        case nil: onEvent?(.videoRestored, nil, "the network carries the picture again")
        }
        onChange?()
    }

    /// Somebody takes no encoding that the others take too, or takes it again (`codec` nil).
    private func note(_ codec: VideoCodec?, isUnintelligibleTo peer: PeerSession) {
        let reason = codec.map { "takes no \($0.rawValue.uppercased()), which the others need" }
        guard reason != peer.unsentReason else { return }
        peer.unsentReason = reason
        let name = peer.member.shownName
        if let reason {
            onEvent?(.videoLimited, peer.member.id, "\(name) \(reason): they are sent no picture")
        } else {
            onEvent?(.videoRestored, peer.member.id, "\(name) can be sent a picture again")
        }
        onChange?()
    }
}

extension PictureWish.Layer {
    /// The layer of the plan; `nil`: none.
    fileprivate var planned: VideoLayer? {
        switch self {
        case .none: nil
        case .low: .low
        case .high: .high
        }
    }
}
