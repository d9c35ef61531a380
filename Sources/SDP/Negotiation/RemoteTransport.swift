/// The transport half of a peer's description, checked.
struct RemoteTransport: Equatable, Sendable {
    let credentials: ICEParameters
    let fingerprints: [Fingerprint]
    let setup: DTLSSetup
    let isLite: Bool
    let candidates: [CandidateAttribute]
    let hasAllCandidates: Bool

    init(_ description: SessionDescription, audioAt index: Int) throws(NegotiationError) {
        let section = description.sections[index]
        guard let credentials = description.credentials(for: section) else { throw .missingCredentials }
        self.credentials = credentials
        fingerprints = description.fingerprints(for: section)
        guard !fingerprints.isEmpty else { throw .missingFingerprint }
        // RFC 4145, section 4.1: one that says nothing is active.
        setup = description.setup(for: section) ?? .active
        isLite = description.isICELite
        let carrier = description.transportSection(for: section)
        candidates = carrier.candidates
        hasAllCandidates = carrier.hasEndOfCandidates || description.has("end-of-candidates")
    }
}
