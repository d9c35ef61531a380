import ControlProtocol
import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling

/// What the peers say.
extension RoomCall: PeerSessionOwner {
    func peer(_ peer: PeerSession, says message: PeerMessage) {
        client?.send(message, to: peer.member.id)
    }

    func peer(_ peer: PeerSession, received packet: AudioPacket, payload: UnsafeRawBufferPointer) {
        guard let stream = streams[peer.member.id] else { return }
        var packet = packet
        packet.stream = stream
        media.insert(packet, payload: payload)
    }

    func peer(_ peer: PeerSession, reported reception: RemoteReception) {
        reported(reception, by: peer)
    }

    func peer(_ peer: PeerSession, received frame: ReceivedVideoFrame) {
        pictures?.received(frame, from: peer)
    }

    func peer(_ peer: PeerSession, wantsKeyFrameOf layer: VideoLayer) {
        pictures?.keyFrameWanted(layer)
    }

    func peerVideoChanged(_ peer: PeerSession) {
        pictures?.agreed(with: peer)
    }

    func peerLimitChanged(_ peer: PeerSession) {
        pictures?.limitChanged(of: peer)
    }

    func peerChanged(_ peer: PeerSession) {
        let id = peer.member.id
        if let agreed = peer.media, peer.context.direction.receives, streams[id] == nil,
            peers[id] === peer || peers[id] == nil
        {
            streams[id] = media.addStream(of: id.rawValue, formats: agreed.receiving)
        }
        updateNeeds()
        owner?.callChanged(self)
    }

    func peerLinkChanged(_ peer: PeerSession) {
        let id = peer.member.id
        switch peer.link {
        case .lost: happened(.memberLost, id, "nothing is heard of \(peer.member.shownName)")
        case .failed(let reason): happened(.warning, id, "no connection to \(peer.member.shownName): \(reason)")
        case .connecting, .connected, .restarting: break
        }
        peerChanged(peer)
    }

    func peerConnected(_ peer: PeerSession) {
        execute(lifecycle.mediaConnected())
    }

    func peerRestartedStream(_ peer: PeerSession) {
        // The jitter buffer notices another source by its SSRC and starts anew by itself.
        Log.info("call", "\(peer.member.id): the stream began anew")
    }

    /// The peer hung up or fell silent: the connection ends now; the room says when the member itself has gone, and
    /// until then it may come back as another session.
    func peerGone(_ peer: PeerSession, reason: String) {
        let id = peer.member.id
        guard peers[id] === peer else { return }
        drop(id)
        happened(.connectionClosed, id, "\(peer.member.shownName): \(reason)")
        endIfDeserted()
        owner?.callChanged(self)
    }

    func peer(_ peer: PeerSession, authenticated code: AuthenticationCode, _ fingerprint: CertificateFingerprint) {
        authenticated[peer.member.id] = (code, fingerprint)
        owner?.call(self, authenticated: peer.member, fingerprint)
        owner?.callChanged(self)
    }

    func peer(_ peer: PeerSession, refused error: AuthenticationError) {
        authenticated[peer.member.id] = nil
        happened(.warning, peer.member.id, "\(peer.member.shownName): \(error)")
        owner?.callChanged(self)
    }
}
