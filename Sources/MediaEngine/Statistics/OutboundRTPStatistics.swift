/// A stream that is sent (RTCOutboundRtpStreamStats).
package struct OutboundRTPStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "outbound-rtp"
    package var id: String
    /// Milliseconds since 1970.
    package var timestamp: Double
    package var ssrc: UInt32
    /// `audio` or `video`.
    package var kind: String
    package var transportId: String?
    package var codecId: String?
    package var mid: String?
    package var remoteId: String?
    package var packetsSent: UInt64?
    /// Payload without headers and padding.
    package var bytesSent: UInt64?
    package var headerBytesSent: UInt64?
    /// Bits a second that the encoder aims at.
    package var targetBitrate: Double?
    package var nackCount: UInt32?
    package var frameWidth: Int?
    package var frameHeight: Int?
    package var framesPerSecond: Double?
    package var framesEncoded: UInt64?
    package var framesSent: UInt64?
    package var hugeFramesSent: UInt64?
    /// Encoded, but not sent to this peer, which has no bandwidth for every frame; not of the W3C's.
    package var framesLeftOut: UInt64?
    package var keyFramesEncoded: UInt64?
    /// In the codec's own scale: VP8 0…127, VP9 0…255.
    package var qpSum: UInt64?
    package var totalEncodeTime: Double?
    package var pliCount: UInt64?
    package var firCount: UInt64?
    package var retransmittedPacketsSent: UInt64?
    package var retransmittedBytesSent: UInt64?
    /// Whether it is sent at all: not muted, not held.
    package var active: Bool?

    package init(id: String, timestamp: Double, ssrc: UInt32, kind: String) {
        self.id = id
        self.timestamp = timestamp
        self.ssrc = ssrc
        self.kind = kind
    }
}
