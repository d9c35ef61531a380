/// Why a peer's description cannot be used.
package enum NegotiationError: Error, Equatable, CustomStringConvertible {
    case malformed(SDPError)
    /// No user name fragment or password, or malformed ones.
    case missingCredentials
    case missingFingerprint
    /// The peer's DTLS role does not fit: an answer with `actpass`, or `holdconn`.
    case invalidSetup(DTLSSetup)
    /// An answer that has not the sections of our offer.
    case sectionsChanged(offered: Int, answered: Int)
    case midChanged(offered: String, answered: String)
    /// An answer with no encoding that we offered.
    case noCommonCodec
    case missingRTCPMux

    package var description: String {
        "session description: \(reason)"
    }

    private var reason: String {
        switch self {
        case .malformed(let error): "\(error); the peer's program is at fault"
        case .missingCredentials: "it has no ICE credentials; the peer needs a program that speaks ICE"
        case .missingFingerprint: "it has no certificate fingerprint; the peer needs a program that encrypts (DTLS)"
        case .invalidSetup(let setup): "a=setup:\(setup.rawValue) is not allowed here; the peer's program is at fault"
        case .sectionsChanged(let offered, let answered):
            "it answers \(offered) media sections with \(answered); the peer's program is at fault"
        case .midChanged(let offered, let answered):
            "it answers section “\(offered)” as “\(answered)”; the peer's program is at fault"
        case .noCommonCodec: "no audio codec suits both sides; the peer needs Opus or G.711"
        case .missingRTCPMux: "it has no a=rtcp-mux; the peer needs a program that sends RTP and RTCP on one port"
        }
    }
}
