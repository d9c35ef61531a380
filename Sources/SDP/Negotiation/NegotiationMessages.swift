package import Primitives

/// A description on its way between the two sides.
package struct SignaledDescription: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case offer
        case answer
    }

    package var kind: Kind
    package var text: String

    package init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }
}

/// A candidate on its way between the two sides (RFC 8838, section 9).
package struct SignaledCandidate: Hashable, Sendable {
    /// `candidate:…`; empty: no more follow.
    package var text: String
    /// The section that it belongs to.
    package var mid: MID?
    /// The ICE generation that it belongs to.
    package var ufrag: String?

    package init(text: String, mid: MID?, ufrag: String?) {
        self.text = text
        self.mid = mid
        self.ufrag = ufrag
    }
}

/// What the owner of a `Negotiation` has to do, in order.
package enum NegotiationAction: Equatable, Sendable {
    case send(SignaledDescription)
    case sendCandidate(SignaledCandidate)
    /// Comes before the first candidate, and each time that something of it changes.
    case applyTransport(TransportParameters)
    case applyMedia(AudioParameters)
    /// There is no audio to send or to receive any more, or never was: the peer declined it.
    case stopMedia
    /// Data channels are agreed on, or on another port or limit than before. The transport is told first.
    case applyData(DataParameters)
    /// Data channels are agreed on no longer.
    case stopData
    /// Video is agreed on, or in another way than before. The transport is told first.
    case applyVideo(VideoParameters)
    /// Video is agreed on no longer.
    case stopVideo
    /// A candidate of the peer for the transport: UDP, component 1, once each. A name must be resolved first.
    case addCandidate(CandidateAttribute)
    /// The peer has no more candidates.
    case endOfCandidates
    /// An offer is there; `Negotiation.answer()` answers it.
    case offerWaits
    /// The own offer gave way to the peer's. Nothing of it had been applied.
    case rolledBack
    /// The peer's description cannot be used. Nothing has changed.
    case refuse(NegotiationError)
}
