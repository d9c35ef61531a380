/// What one side brings to a negotiation.
package struct NegotiationConfiguration: Sendable {
    /// Gives way when both offer at once. Exactly one of the two sides must be polite.
    package var isPolite: Bool
    /// The own certificate's fingerprint.
    package var fingerprint: Fingerprint
    /// Decimal digits; unlike other sessions of this host.
    package var sessionID: String
    /// Makes new ICE credentials for a restart; from a generator fit for secrets.
    package var makeCredentials: @Sendable () -> ICEParameters
    /// In the order of preference. It is a preference: what suits both sides is chosen.
    package var codecs = NegotiatedCodec.allCases
    /// What we ask the peer's Opus encoder for.
    package var opus: OpusParameters
    /// The length of packets that we wish for; `nil`: as the peer likes.
    package var packetTime: Duration?
    /// What we say of data channels; `nil`: there are none, whatever the peer offers.
    package var data: LocalData?
    /// What we say of video; `nil`: there is none, whatever the peer offers.
    package var video: LocalVideo?
    /// Whether we answer `actpass` with `active`. As the DTLS server our preference among SRTP profiles decides.
    package var answersAsDTLSClient = false
    /// Whether an offer is answered at once; otherwise it waits for `Negotiation.answer()`.
    package var answersAtOnce = true
    package var limits = SDPLimits()

    /// Our side of data channels (RFC 8841).
    package struct LocalData: Hashable, Sendable {
        package var sctpPort: UInt16
        /// Bytes that a message to us may have.
        package var maximumMessageSize: Int

        package init(sctpPort: UInt16, maximumMessageSize: Int) {
            self.sctpPort = sctpPort
            self.maximumMessageSize = maximumMessageSize
        }
    }

    /// Our side of video.
    package struct LocalVideo: Hashable, Sendable {
        /// In the order of preference.
        package var codecs = NegotiatedVideoCodec.allCases
        package var feedback: VideoFeedback = [.nack, .pictureLoss, .fullIntraRequest]
        /// The names of the qualities that we offer to send, best first (RFC 8853); fewer than two: one stream.
        package var streams: [String] = []

        package init() {}
    }

    package init(
        isPolite: Bool, fingerprint: Fingerprint, sessionID: String,
        makeCredentials: @escaping @Sendable () -> ICEParameters
    ) {
        self.isPolite = isPolite
        self.fingerprint = fingerprint
        self.sessionID = sessionID
        self.makeCredentials = makeCredentials
        opus = OpusParameters()
        opus.usesInbandFEC = true
        opus.usesDTX = true
        opus.minimumPacketTime = .milliseconds(10)
    }
}
