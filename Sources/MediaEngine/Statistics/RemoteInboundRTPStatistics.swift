/// How the peer receives a stream that is sent (RTCRemoteInboundRtpStreamStats). Times are in seconds.
package struct RemoteInboundRTPStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "remote-inbound-rtp"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var ssrc: UInt32
    /// `audio` or `video`.
    package var kind: String
    package var transportId: String?
    package var codecId: String?
    package var localId: String?
    package var packetsLost: Int64?
    package var jitter: Double?
    /// Of the last report, 0…1.
    package var fractionLost: Double?
    package var roundTripTime: Double?
    package var totalRoundTripTime: Double?
    package var roundTripTimeMeasurements: Int?

    package init(id: String, timestamp: Double, ssrc: UInt32, kind: String) {
        self.id = id
        self.timestamp = timestamp
        self.ssrc = ssrc
        self.kind = kind
    }
}
