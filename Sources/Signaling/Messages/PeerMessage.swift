/// What one member says to another, or to all others, through the room's server.
package enum PeerMessage: Hashable, Sendable {
    /// A session description (RFC 8829).
    case description(PeerDescription)
    /// One ICE candidate (RFC 8838).
    case candidate(PeerCandidate)
    /// What the sender does; the server keeps the last one for those who join later.
    case status(MemberStatus)
    /// What the sender lost of every other member.
    case report(LossReport)
    /// Which picture of the addressee the sender wants.
    case view(PictureWish)
    /// How large a picture the path from the sender to the addressee carries.
    case limit(PictureLimit)
    /// The first step of the authentication string.
    case commitment(PeerCommitment)
    /// The second step of the authentication string.
    case reveal(PeerReveal)

    /// The `type` of the message on the wire.
    package var type: String {
        switch self {
        case .description: "description"
        case .candidate: "candidate"
        case .status: "status"
        case .report: "report"
        case .view: "view"
        case .limit: "limit"
        case .commitment: "commitment"
        case .reveal: "reveal"
        }
    }

    /// Whether the message makes sense only for one member.
    var needsAddressee: Bool {
        switch self {
        case .description, .candidate, .view, .limit, .commitment, .reveal: true
        case .status, .report: false
        }
    }

    var isDescription: Bool {
        if case .description = self { true } else { false }
    }

    /// Reads the payload of a message of `type`; `nil`: no such peer message.
    init?(type: String, from decoder: any Decoder) throws {
        switch type {
        case "description": self = .description(try PeerDescription(from: decoder))
        case "candidate": self = .candidate(try PeerCandidate(from: decoder))
        case "status": self = .status(try MemberStatus(from: decoder))
        case "report": self = .report(try LossReport(from: decoder))
        case "view": self = .view(try PictureWish(from: decoder))
        case "limit": self = .limit(try PictureLimit(from: decoder))
        case "commitment": self = .commitment(try PeerCommitment(from: decoder))
        case "reveal": self = .reveal(try PeerReveal(from: decoder))
        default: return nil
        }
    }

    func encodePayload(to encoder: any Encoder) throws {
        switch self {
        case .description(let payload): try payload.encode(to: encoder)
        case .candidate(let payload): try payload.encode(to: encoder)
        case .status(let payload): try payload.encode(to: encoder)
        case .report(let payload): try payload.encode(to: encoder)
        case .view(let payload): try payload.encode(to: encoder)
        case .limit(let payload): try payload.encode(to: encoder)
        case .commitment(let payload): try payload.encode(to: encoder)
        case .reveal(let payload): try payload.encode(to: encoder)
        }
    }

    func check() throws(RoomMessageError) {
        switch self {
        case .description(let payload): try payload.check()
        case .candidate(let payload): try payload.check()
        case .status, .view, .limit: return
        case .report(let payload): try payload.check()
        case .commitment(let payload): try RoomText.checkIdentifier(payload.hash, field: "hash", limit: 128)
        case .reveal(let payload): try payload.check()
        }
    }
}

/// A session description on its way to one member.
package struct PeerDescription: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case offer
        case answer
    }

    package var kind: Kind
    /// The description's text (RFC 8866).
    package var sdp: String

    package init(kind: Kind, sdp: String) {
        self.kind = kind
        self.sdp = sdp
    }

    func check() throws(RoomMessageError) {
        guard !sdp.isEmpty else { throw .invalid(field: "sdp", reason: "empty") }
    }
}

/// One ICE candidate on its way to one member.
package struct PeerCandidate: Hashable, Sendable, Codable {
    /// The value of the `candidate` attribute (RFC 8839, section 5.1); empty: no more follow.
    package var candidate: String
    /// The media section that it belongs to.
    package var mid: String?
    /// The ICE generation that it belongs to.
    package var ufrag: String?

    package init(candidate: String, mid: String? = nil, ufrag: String? = nil) {
        self.candidate = candidate
        self.mid = mid
        self.ufrag = ufrag
    }

    func check() throws(RoomMessageError) {
        try RoomText.check(candidate, field: "candidate", limit: 1024)
        if let mid { try RoomText.checkIdentifier(mid, field: "mid") }
        if let ufrag { try RoomText.checkIdentifier(ufrag, field: "ufrag", limit: 256) }
    }
}

/// Which picture of a member another one wants. Until it says so, it wants the large one: a client that does not know
/// the message gets all there is.
package struct PictureWish: Hashable, Sendable, Codable {
    package enum Layer: String, Hashable, Sendable, Codable {
        /// None: nothing is sent.
        case none
        /// The small one, a quarter of the large one's size.
        case low
        case high
    }

    package var layer: Layer

    package init(layer: Layer) {
        self.layer = layer
    }
}

/// The largest of its pictures that the sender's path to the addressee carries. Until it says so, that is the large one.
package struct PictureLimit: Hashable, Sendable, Codable {
    package var layer: PictureWish.Layer

    package init(layer: PictureWish.Layer) {
        self.layer = layer
    }
}

/// The first step of the authentication string: a hash of what `PeerReveal` will show.
package struct PeerCommitment: Hashable, Sendable, Codable {
    /// Lower-case hexadecimal.
    package var hash: String

    package init(hash: String) {
        self.hash = hash
    }
}

/// The second step of the authentication string.
package struct PeerReveal: Hashable, Sendable, Codable {
    /// The certificate's fingerprint as in the session description.
    package var fingerprint: String
    /// Lower-case hexadecimal.
    package var nonce: String

    package init(fingerprint: String, nonce: String) {
        self.fingerprint = fingerprint
        self.nonce = nonce
    }

    func check() throws(RoomMessageError) {
        try RoomText.check(fingerprint, field: "fingerprint", limit: 256)
        try RoomText.checkIdentifier(nonce, field: "nonce", limit: 128)
    }
}
