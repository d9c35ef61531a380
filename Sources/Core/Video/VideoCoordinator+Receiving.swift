import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor
import Signaling

/// Whose pictures are received.
extension VideoCoordinator: CallPictures {
    func change(_ body: (inout VideoWishes) -> Void) {
        body(&wishes)
        wishesChanged()
    }

    /// Hides one person's picture, or lets it be received.
    func setHidden(_ isHidden: Bool, _ id: String) throws(CallError) {
        try wishes.setHidden(isHidden, id)
        wishesChanged()
    }

    /// Shows a console these pictures from now on, and no others; `nil`: none.
    func show(_ feed: PictureFeed?, to session: ConsoleSession) {
        feeds.set(feed, of: session)
        change { $0.watched = feeds.watched }
    }

    private func wishesChanged() {
        for peer in activeCall?.peers.values.map({ $0 }) ?? [] { tellWish(to: peer) }
        updateSelfView()
        onChange?()
    }

    /// Asks a peer for the picture that is wanted of it.
    func tellWish(to peer: PeerSession) {
        defer { expectPictures(of: peer) }
        let layer = wishes.wish(for: peer.member.id.rawValue)
        guard layer != peer.toldWish else { return }
        let wasNone = peer.toldWish == PictureWish.Layer.none
        peer.toldWish = layer
        peer.owner?.peer(peer, says: .view(PictureWish(layer: layer)))
        if layer == .none { removeDecoder(of: peer.member.id) } else if wasNone { peer.video?.decodingFailed() }
    }

    func expectPictures(of peer: PeerSession) {
        peer.video?.expect(expectation(of: peer))
    }

    /// What a peer says that it shows, and its path carries.
    private func expectation(of peer: PeerSession) -> VideoReceiver.Expectation {
        guard let call = activeCall, !call.lifecycle.isHeld, peer.limit != .soundOnly,
            wishes.wish(for: peer.member.id.rawValue) != .none
        else { return .nothing }
        let status = call.statuses[peer.member.id] ?? peer.member.status
        guard status.video, !status.held else { return peer.needsPictures ? .whatComes : .nothing }
        return status.screen ? .whatComes : .motion
    }

    /// A frame of a peer is whole. What nobody looks at is not decoded.
    func received(_ frame: ReceivedVideoFrame, from peer: PeerSession) {
        let id = peer.member.id
        guard wishes.wish(for: id.rawValue) != .none else { return }
        decoder(for: id, peer).decode(frame)
    }

    private func decoder(for id: MemberID, _ peer: PeerSession) -> PictureDecoder {
        if let decoder = decoders[id] { return decoder }
        let decoder = PictureDecoder(id.rawValue, store: store) { [weak peer, feeds] event in
            switch event {
            case .shown: feeds.isNew(id.rawValue)
            case .failed: Task { @EngineActor in peer?.video?.decodingFailed() }
            }
        }
        decoders[id] = decoder
        return decoder
    }

    func agreed(with peer: PeerSession) {
        tellWish(to: peer)
        apply()
    }

    func addPictures(of member: MemberID) {
        wishes.joined(member.rawValue)
    }

    func removePictures(of member: MemberID) {
        removeDecoder(of: member)
        wishes.left(member.rawValue)
        apply()
    }

    func limitChanged(of peer: PeerSession) {
        let name = peer.member.shownName
        switch peer.limit {
        case .soundOnly:
            onEvent?(.videoLimited, peer.member.id, "the network carries no picture from \(name)")
            removeDecoder(of: peer.member.id)
        case .smallPicture:
            onEvent?(.videoLimited, peer.member.id, "the network carries only a small picture from \(name)")
        case nil: onEvent?(.videoRestored, peer.member.id, "the network carries \(name)’s picture again")
        }
        expectPictures(of: peer)
        updatePriority()
        onChange?()
    }

    /// Puts one person's picture before everybody else's, or nobody's.
    func prioritize(_ id: String?) {
        change { $0.prioritize(id) }
        updatePriority()
    }

    func updatePriority() {
        let peer = activeCall?.peers.values.first { $0.member.id.rawValue == wishes.prioritized }
        if wishes.priority.update(isLimited: peer?.limit != nil, at: .now()) { wishesChanged() }
        priorityTimer?.arm(at: wishes.priority.deadline)
    }

    func interrupted(_ member: MemberID) {
        decoders[member]?.interrupt()
    }

    func callHeld(_ call: RoomCall) {
        guard call === activeCall else { return }
        for peer in call.peers.values { expectPictures(of: peer) }
        apply()
    }

    func removeDecoder(of id: MemberID) {
        decoders.removeValue(forKey: id)?.close()
        store.remove(id.rawValue)
    }

    /// What was decoded of a person's pictures; `nil`: nothing is.
    func decoded(of id: MemberID) -> PictureDecoder.Counters? {
        decoders[id]?.counters
    }

    /// What was encoded of a layer; `nil`: it is not.
    func encoded(_ layer: VideoLayer) -> LayerEncoder.Counters? {
        encoders[layer]?.counters
    }

    /// Bits a second that a layer may cost.
    func targetBitrate(of layer: VideoLayer) -> Double? {
        layer == .high ? plan.highBitrate : plan.lowBitrate
    }

    /// The pictures as consoles see them.
    var state: VideoState {
        var state = VideoState()
        state.isMuted = isMuted
        state.isClosed = isClosed
        state.isPreviewing = isPreviewing
        state.isEveryoneHidden = wishes.hidesEveryone
        state.hidesJoiners = wishes.hidesJoiners
        state.limit = limit
        let status = capture?.status
        state.droppedCaptures = status?.droppedCount ?? 0
        state.isOpen = status?.isRunning == true ? true : nil
        guard let choice else { return state }
        state.shown = isLive ? choice.shown : .off
        let sound = started == choice && capture?.sound != nil ? ", with sound" : ""
        var source = VideoSourceState(name: choice.name, description: choice.description + sound)
        source.isText = choice.isText ? true : nil
        source.isCamera = choice.shown == .camera ? true : nil
        source.reason = reason
        source.width = status?.given?.size.width
        source.height = status?.given?.size.height
        source.frameRate = status?.given?.frameRate
        state.source = source
        state.camera =
            reason != nil
            ? .lost
            : isClosed
                ? .closed : activeCall?.lifecycle.isHeld == true ? .onHold : isLive ? .live : .muted
        return state
    }
}
