/// The path in use (RTCIceCandidatePairStats). Times are in seconds.
package struct CandidatePairStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "candidate-pair"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var localCandidateId: String
    package var remoteCandidateId: String
    /// `frozen`, `waiting`, `in-progress`, `failed` or `succeeded`.
    package var state: String
    package var transportId: String?
    package var nominated: Bool?
    package var packetsSent: UInt64?
    package var packetsReceived: UInt64?
    package var bytesSent: UInt64?
    package var bytesReceived: UInt64?
    /// Milliseconds since 1970.
    package var lastPacketSentTimestamp: Double?
    /// Milliseconds since 1970.
    package var lastPacketReceivedTimestamp: Double?
    package var totalRoundTripTime: Double?
    package var currentRoundTripTime: Double?
    package var availableOutgoingBitrate: Double?
    package var packetsDiscardedOnSend: UInt32?

    package init(id: String, timestamp: Double, localCandidateId: String, remoteCandidateId: String, state: String) {
        self.id = id
        self.timestamp = timestamp
        self.localCandidateId = localCandidateId
        self.remoteCandidateId = remoteCandidateId
        self.state = state
    }
}
