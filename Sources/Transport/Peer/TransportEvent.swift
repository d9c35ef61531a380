/// The states of webrtc's `RTCPeerConnectionState`.
package enum TransportState: String, Sendable {
    case new
    case connecting
    /// Media may flow: a pair works, the peer is who signalling promised, and there are keys.
    case connected
    /// The pair has died; it may come back, by itself or by a restart.
    case disconnected
    /// Final, unless ICE is restarted.
    case failed
    case closed
}

/// What a `PeerTransport` reports, on the engine.
package enum TransportEvent: Sendable {
    /// A line for signalling: `candidate:…`.
    case candidate(String)
    /// There are no more candidates.
    case gatheringDone
    case state(TransportState)
    case selectedPair(ICECandidatePair)
    /// The reason comes before the state `failed`.
    case failure(TransportError)
    /// The peer has ended the association by close_notify: it has hung up.
    case remoteClosed
    /// Something happened to a data channel.
    case data(DataChannelEvent)
}

/// RTP or RTCP.
package enum MediaKind: Hashable, Sendable {
    case rtp
    case rtcp
}
