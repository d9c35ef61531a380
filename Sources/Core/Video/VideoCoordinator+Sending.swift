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
        guard let call = activeCall, isLive else {
            for peer in activeCall?.peers.values.map(\.video) ?? [] { peer?.use(nil, isWanted: false) }
            for layer in Array(encoders.keys) { removeEncoder(layer) }
            limit = nil
            return
        }
        planTimer?.arm(after: Self.planInterval)
        let maximum = Double(settings.integer("video.bitrate"))
        let codec = commonCodec(of: call.peers.values.compactMap { $0.canSendVideo ? $0.video : nil })
        var peers: [MemberID: VideoLayerPlan<MemberID>.Peer] = [:]
        for (id, peer) in call.peers {
            guard let video = peer.video, peer.canSendVideo, video.takes(codec) else { continue }
            let wish = peer.pictureWish.layer
            video.setMaximum(maximum)
            peers[id] = .init(wish: wish.planned, share: video.share(maximum: maximum))
        }
        plan.update(peers, maximum: maximum)
        let now = MonoTime.now()
        if let bitrate = plan.highBitrate {
            _ = ladder.update(bitrate: bitrate, at: now)
            useEncoder(
                .high, codec, bitrate: bitrate, height: choice?.isText == true ? format.size.height : ladder.height)
        } else {
            removeEncoder(.high)
        }
        if let bitrate = plan.lowBitrate {
            useEncoder(.low, codec, bitrate: bitrate, height: 180)
        } else {
            removeEncoder(.low)
        }
        for (id, peer) in call.peers { peer.video?.use(plan.layers[id], isWanted: peers[id]?.wish != nil) }
        for layer in Set(call.peers.values.compactMap { $0.video?.awaitedLayer }) { keyFrameWanted(layer) }
        noteLimit(peers)
    }

    /// The encoding that is set, where everybody takes it; else one that everybody takes.
    private func commonCodec(of peers: [PeerVideo]) -> VideoCodec {
        let preferred = VideoCodec(rawValue: settings.string("video.codec")) ?? .vp8
        let codecs = [preferred] + VideoCodec.allCases
        return codecs.first { codec in peers.allSatisfy { $0.takes(codec) } } ?? preferred
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
        capture.add(encoder, audience: .peers(needsBlack: false), format: format)
    }

    func removeEncoder(_ layer: VideoLayer) {
        guard let encoder = encoders.removeValue(forKey: layer) else { return }
        capture?.remove(encoder)
    }

    private func noteLimit(_ peers: [MemberID: VideoLayerPlan<MemberID>.Peer]) {
        let starved = peers.filter { $0.value.wish != nil && plan.layers[$0.key] == nil }.count
        let reduced = peers.filter { $0.value.wish == .high && plan.layers[$0.key] == .low }.count
        let new: VideoLimit? = starved > 0 ? .soundOnly : reduced > 0 ? .smallPicture : nil
        guard new != limit else { return }
        limit = new
        switch new {
        case .soundOnly: onEvent?(.videoLimited, "the network carries only sound to some: they are sent no picture")
        case .smallPicture: onEvent?(.videoLimited, "the network carries only a small picture to some")
        case nil: onEvent?(.videoRestored, "the network carries the picture again")
        }
        onChange?()
    }

    /// Sends what has been encoded.
    func drain() {
        for (layer, encoder) in encoders {
            for output in encoder.takeOutputs() {
                for peer in activeCall?.peers.values.map(\.video) ?? [] { peer?.send(output, of: layer) }
            }
            if let failure = encoder.counters.failure, reason == nil {
                reason = failure
                onEvent?(.warning, "the picture cannot be coded: \(failure)")
                apply()
            }
        }
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
