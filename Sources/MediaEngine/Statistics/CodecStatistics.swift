/// A payload format in use (RTCCodecStats).
package struct CodecStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "codec"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var payloadType: UInt8
    package var transportId: String
    /// As `audio/opus`.
    package var mimeType: String
    package var clockRate: UInt32?
    package var channels: UInt32?
    package var sdpFmtpLine: String?

    package init(id: String, timestamp: Double, payloadType: UInt8, transportId: String, mimeType: String) {
        self.id = id
        self.timestamp = timestamp
        self.payloadType = payloadType
        self.transportId = transportId
        self.mimeType = mimeType
    }
}
