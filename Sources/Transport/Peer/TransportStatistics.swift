package import Primitives

/// One transport at one moment, in the words of webrtc-stats (`transport`, `candidate-pair`, `certificate`), and what
/// was thrown away.
package struct TransportStatistics: Hashable, Sendable {
    /// Bytes and packets of DTLS, SRTP and SRTCP, without UDP headers.
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    package var packetsSent: UInt64 = 0
    package var packetsReceived: UInt64 = 0
    package var iceState = ICEState.new
    package var isControlling = false
    package var localUfrag = ""
    package var selectedPair: ICECandidatePair?
    package var selectedPairChanges = 0
    package var dtlsState = DTLSStateName.new
    package var dtlsRole: DTLSRole?
    /// `FEFD` for DTLS 1.2.
    package var tlsVersion: String?
    package var dtlsCipher: String?
    package var srtpCipher: String?
    package var dtlsRetransmissions = 0
    /// The round trip that the handshake took, where it could be measured (no flight was lost).
    package var handshakeRoundTrip: Duration?
    /// From the first sign of both sides' credentials to `connected`.
    package var setUpTime: Duration?
    package var drops = Drops()
    /// `nil` where no data channels are agreed on.
    package var sctpState: SCTPTransport.State?
    package var dataDrops = DataChannelCounters()
    /// Datagrams that the impairment saw, and those of them that it lost.
    package var impairedCount = 0
    package var impairmentLostCount = 0
    /// When the last datagram of the peer arrived.
    package var lastReceived: MonoTime?

    package init() {}

    /// What was thrown away.
    package struct Drops: Hashable, Sendable {
        /// Received media whose tag was wrong.
        package var notAuthentic = 0
        /// Received media seen before, or too old.
        package var replayed = 0
        /// Received datagrams that are nothing known, or too short.
        package var malformed = 0
        /// Media received before there were keys.
        package var beforeKeys = 0
        /// Handshake datagrams beyond what is kept until the peer's fingerprint is known.
        package var earlyOverflow = 0
        /// Packets to send before there were keys or a pair, or too long.
        package var unsendable = 0
        /// Datagrams that the socket refused.
        package var socketRefused = 0
        /// Datagrams that came in faster than the engine read them.
        package var socketOverflow = 0
        /// Decrypted data that no association waits for.
        package var strayData = 0
        /// Candidates of the peer that cannot be used: unknown names, TCP, component 2, malformed or too many.
        package var candidates = 0

        package init() {}
    }
}

/// The states of webrtc's `RTCDtlsTransportState`.
package enum DTLSStateName: String, Sendable {
    case new
    case connecting
    case connected
    case closed
    case failed
}
