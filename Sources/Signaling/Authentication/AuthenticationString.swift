internal import Primitives

/// What the owner of an `AuthenticationString` has to do, in order.
package enum AuthenticationAction: Equatable, Sendable {
    /// Sends a message to the peer.
    case send(PeerMessage)
    /// The code is certain: show it.
    case show(AuthenticationCode)
    /// There is no code and never will be; the owner says so and begins anew only with a new connection.
    case refuse(AuthenticationError)
}

/// The short authentication string with one peer, as a machine.
///
/// Each side commits to its fingerprint and a random nonce by a hash, and reveals both only when it has the other's
/// commitment. The code is taken from a hash over both reveals and both ids.
///
/// Why 32 bits are enough: who stands in the middle runs the protocol with each of the two. To be shown the same code
/// on both sides he must choose what he reveals so that two hashes agree. But he has to commit towards each side
/// before that side reveals its nonce of 256 bits, so when he can first compute a code he can no longer choose; one
/// try is right with a chance of 2⁻³², and a wrong one is two codes that differ. Without the commitments he would search:
/// 2³² hashes are a matter of seconds. A hash carries sender and receiver, so that one's own messages cannot be played
/// back, and the room, so that those of another room cannot.
package struct AuthenticationString: Sendable {
    /// Who one side is.
    package struct Party: Equatable, Sendable {
        package var id: MemberID
        /// Of the certificate that its media come from.
        package var fingerprint: CertificateFingerprint

        package init(id: MemberID, fingerprint: CertificateFingerprint) {
            self.id = id
            self.fingerprint = fingerprint
        }
    }

    private enum State {
        case idle
        case committed
        /// The peer's commitment is there, and ours revealed.
        case revealed(peerHash: [UInt8])
        case agreed(peerHash: [UInt8], peer: CertificateFingerprint, AuthenticationCode)
        case refused
    }

    private static let nonceByteCount = 32

    private let room: RoomName
    private let own: Party
    private let peer: MemberID
    private let nonce: [UInt8]
    private var state = State.idle
    /// What the DTLS handshake with the peer has proven.
    private var proven: CertificateFingerprint?
    /// Messages that came at a moment at which they mean nothing.
    package private(set) var ignoredCount = 0

    /// - Parameter generator: fit for secrets.
    package init(
        room: RoomName, own: Party, peer: MemberID, using generator: inout some RandomNumberGenerator
    ) {
        self.room = room
        self.own = own
        self.peer = peer
        nonce = randomBytes(Self.nonceByteCount, using: &generator)
    }

    /// The code, once it is certain: both reveals fit their commitments, and the peer's media come from the certificate
    /// that it revealed.
    package var code: AuthenticationCode? {
        guard case .agreed(_, let fingerprint, let code) = state, fingerprint == proven else { return nil }
        return code
    }

    /// Sends our commitment.
    package mutating func start() -> [AuthenticationAction] {
        guard case .idle = state else { return [] }
        state = .committed
        return [.send(ownCommitment)]
    }

    /// The peer committed: from now on it can no longer choose, so ours may be revealed.
    package mutating func receive(_ commitment: PeerCommitment) -> [AuthenticationAction] {
        guard let hash = bytes(hexadecimal: commitment.hash), hash.count == SHA256.byteCount else {
            return refuse(.malformed(field: "commitment"))
        }
        switch state {
        case .idle, .committed:
            let first = start()
            state = .revealed(peerHash: hash)
            return first + [.send(ownReveal)]
        case .revealed(let known), .agreed(let known, _, _):
            return known == hash ? [] : refuse(.commitmentChanged)
        case .refused: return []
        }
    }

    /// The peer revealed what it had committed to. A reveal without a commitment before it is not looked at.
    package mutating func receive(_ reveal: PeerReveal) -> [AuthenticationAction] {
        guard case .revealed(let hash) = state else {
            ignoredCount += 1
            return []
        }
        guard let fingerprint = Self.fingerprint(reveal.fingerprint) else {
            return refuse(.malformed(field: "fingerprint"))
        }
        guard let peerNonce = bytes(hexadecimal: reveal.nonce), peerNonce.count == Self.nonceByteCount else {
            return refuse(.malformed(field: "nonce"))
        }
        let party = Party(id: peer, fingerprint: fingerprint)
        guard equalInConstantTime(hash, commitment(from: party, to: own.id, nonce: peerNonce)) else {
            return refuse(.revealDoesNotMatch)
        }
        state = .agreed(peerHash: hash, peer: fingerprint, code(with: party, nonce: peerNonce))
        return conclude()
    }

    /// The DTLS handshake with the peer has proven that its media come from the certificate with this fingerprint.
    package mutating func proved(_ fingerprint: CertificateFingerprint) -> [AuthenticationAction] {
        guard proven != fingerprint else { return [] }
        proven = fingerprint
        return conclude()
    }

    /// The signalling is back after messages may have been lost: what had been said is said again.
    package func signalingRestored() -> [AuthenticationAction] {
        switch state {
        case .idle, .refused: []
        case .committed: [.send(ownCommitment)]
        case .revealed, .agreed: [.send(ownCommitment), .send(ownReveal)]
        }
    }

    private mutating func conclude() -> [AuthenticationAction] {
        guard case .agreed(_, let revealed, let code) = state, let proven else { return [] }
        return revealed == proven ? [.show(code)] : refuse(.certificateDiffers)
    }

    private mutating func refuse(_ error: AuthenticationError) -> [AuthenticationAction] {
        if case .refused = state { return [] }
        state = .refused
        return [.refuse(error)]
    }
}

extension AuthenticationString {
    private var ownCommitment: PeerMessage {
        .commitment(PeerCommitment(hash: hexadecimal(commitment(from: own, to: peer, nonce: nonce))))
    }

    private var ownReveal: PeerMessage {
        .reveal(PeerReveal(fingerprint: "sha-256 \(own.fingerprint)", nonce: hexadecimal(nonce)))
    }

    private func commitment(from sender: Party, to receiver: MemberID, nonce: [UInt8]) -> [UInt8] {
        let ids = [sender.id, receiver].map { [UInt8]($0.rawValue.utf8) }
        return digest("hoot commitment", ids + [sender.fingerprint.bytes, nonce])
    }

    /// The code over both sides; the one whose id sorts first is first on both.
    private func code(with party: Party, nonce peerNonce: [UInt8]) -> AuthenticationCode {
        let sides = [(own, nonce), (party, peerNonce)].sorted {
            $0.0.id.rawValue.utf8.lexicographicallyPrecedes($1.0.id.rawValue.utf8)
        }
        let fields = sides.flatMap { side, nonce in
            [[UInt8](side.id.rawValue.utf8), side.fingerprint.bytes, nonce]
        }
        let value = digest("hoot authentication string", fields).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return AuthenticationCode(value: value)
    }

    /// The hash over the fields, each with its length before it.
    private func digest(_ label: String, _ fields: [[UInt8]]) -> [UInt8] {
        var writer = ByteWriter()
        for field in [[UInt8](label.utf8), [UInt8](room.text.utf8)] + fields {
            writer.write(UInt32(truncatingIfNeeded: field.count))
            writer.write(field)
        }
        return SHA256.digest(of: writer.bytes)
    }

    /// Reads `sha-256 AB:CD:…`.
    private static func fingerprint(_ text: String) -> CertificateFingerprint? {
        let (algorithm, value) = Substring(text).cut(at: " ")
        guard algorithm.lowercased() == "sha-256", let value else { return nil }
        return CertificateFingerprint(hexadecimal: value)
    }
}
