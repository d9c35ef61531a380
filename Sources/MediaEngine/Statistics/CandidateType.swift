/// Where an address comes from, by its W3C name (RTCIceCandidateType).
package enum CandidateType: String, Hashable, Sendable, Codable {
    case host
    case serverReflexive = "srflx"
    case peerReflexive = "prflx"
    case relayed = "relay"

    /// The word of the text report (Q66).
    package var statsName: String {
        switch self {
        case .host: "local"
        case .serverReflexive: "stun"
        case .peerReflexive: "prflx"
        case .relayed: "relay"
        }
    }
}
