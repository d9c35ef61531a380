/// A channel for data (RTCDataChannelStats).
package struct DataChannelStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "data-channel"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var label: String
    package var dataChannelIdentifier: UInt16
    /// `open` or `closed`.
    package var state: String
    package var messagesSent: UInt32?
    package var bytesSent: UInt64?
    package var messagesReceived: UInt32?
    package var bytesReceived: UInt64?
    /// Ours: received and not taken, because they came too fast or were malformed.
    package var messagesDiscarded: UInt32?

    package init(id: String, timestamp: Double, label: String, dataChannelIdentifier: UInt16, state: String) {
        self.id = id
        self.timestamp = timestamp
        self.label = label
        self.dataChannelIdentifier = dataChannelIdentifier
        self.state = state
    }
}
