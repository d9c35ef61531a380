/// An end of the path in use (RTCIceCandidateStats).
package struct CandidateStatistics: Codable, Hashable, Sendable {
    /// `local-candidate` or `remote-candidate`.
    package var type: String
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var transportId: String
    package var candidateType: CandidateType
    package var address: String?
    package var port: Int?
    /// `udp` or `tcp`.
    package var `protocol`: String?
    /// How we get to the TURN server of a relayed local candidate: `udp`, `tcp` or `tls`.
    package var relayProtocol: String?
    /// The TURN server of a relayed local candidate.
    package var url: String?

    package init(isLocal: Bool, id: String, timestamp: Double, transportId: String, candidateType: CandidateType) {
        type = isLocal ? "local-candidate" : "remote-candidate"
        self.id = id
        self.timestamp = timestamp
        self.transportId = transportId
        self.candidateType = candidateType
    }
}
