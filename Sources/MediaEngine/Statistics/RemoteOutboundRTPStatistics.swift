/// What the peer says it sent of a stream that is received (RTCRemoteOutboundRtpStreamStats). Times are in seconds.
package struct RemoteOutboundRTPStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "remote-outbound-rtp"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var ssrc: UInt32
    /// `audio` or `video`.
    package var kind: String
    package var transportId: String?
    package var codecId: String?
    package var localId: String?
    package var packetsSent: UInt64?
    package var bytesSent: UInt64?
    /// The peer's clock, milliseconds since 1970.
    package var remoteTimestamp: Double?
    package var reportsSent: UInt64?
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
