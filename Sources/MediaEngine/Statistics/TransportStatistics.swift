/// The encrypted connection (RTCTransportStats).
package struct TransportStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "transport"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    /// `new`, `connecting`, `connected`, `closed` or `failed`.
    package var dtlsState: String
    package var packetsSent: UInt64?
    package var packetsReceived: UInt64?
    package var bytesSent: UInt64?
    package var bytesReceived: UInt64?
    /// `controlling` or `controlled`.
    package var iceRole: String?
    package var iceState: String?
    package var selectedCandidatePairId: String?
    /// Four hexadecimal digits, as `FEFD`.
    package var tlsVersion: String?
    package var dtlsCipher: String?
    /// `client` or `server`.
    package var dtlsRole: String?
    package var srtpCipher: String?
    package var selectedCandidatePairChanges: UInt32?
    /// Seconds from the peer's description to the first keys, ICE and DTLS; hoot's own.
    package var setUpTime: Double?

    package init(id: String, timestamp: Double, dtlsState: String) {
        self.id = id
        self.timestamp = timestamp
        self.dtlsState = dtlsState
    }
}
