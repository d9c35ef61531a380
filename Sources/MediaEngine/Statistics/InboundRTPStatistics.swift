/// A stream that is received (RTCInboundRtpStreamStats). Times are in seconds; members that are unknown are left out.
package struct InboundRTPStatistics: Codable, Hashable, Sendable {
    package private(set) var type = "inbound-rtp"
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
    package var packetsReceived: UInt64?
    package var packetsLost: Int64?
    package var jitter: Double?
    /// Milliseconds since 1970.
    package var lastPacketReceivedTimestamp: Double?
    package var headerBytesReceived: UInt64?
    /// Payload without headers and padding.
    package var bytesReceived: UInt64?
    /// Too late or too early to be played.
    package var packetsDiscarded: UInt64?
    package var fecPacketsReceived: UInt64?
    /// What is presented now, on the sender's wall clock, in milliseconds since 1900.
    package var estimatedPlayoutTimestamp: Double?
    package var nackCount: UInt32?
    /// Summed over the samples emitted.
    package var jitterBufferDelay: Double?
    package var jitterBufferTargetDelay: Double?
    package var jitterBufferMinimumDelay: Double?
    package var jitterBufferEmittedCount: UInt64?
    package var totalSamplesReceived: UInt64?
    package var concealedSamples: UInt64?
    package var silentConcealedSamples: UInt64?
    package var concealmentEvents: UInt64?
    package var insertedSamplesForDeceleration: UInt64?
    package var removedSamplesForAcceleration: UInt64?
    /// Linear, 0…1.
    package var audioLevel: Double?
    package var totalAudioEnergy: Double?
    package var totalSamplesDuration: Double?
    package var frameWidth: Int?
    package var frameHeight: Int?
    package var framesPerSecond: Double?
    package var framesReceived: UInt64?
    package var framesDecoded: UInt64?
    package var keyFramesDecoded: UInt64?
    package var framesRendered: UInt64?
    /// Left out before they were decoded, or decoded too late to be shown.
    package var framesDropped: UInt64?
    package var framesAssembledFromMultiplePackets: UInt64?
    package var totalAssemblyTime: Double?
    /// In the codec's own scale: VP8 0…127, VP9 0…255.
    package var qpSum: UInt64?
    package var totalDecodeTime: Double?
    package var totalInterFrameDelay: Double?
    package var totalSquaredInterFrameDelay: Double?
    package var freezeCount: UInt64?
    package var totalFreezesDuration: Double?
    package var pauseCount: UInt64?
    package var totalPausesDuration: Double?
    package var pliCount: UInt64?
    package var firCount: UInt64?
    package var retransmittedPacketsReceived: UInt64?
    package var retransmittedBytesReceived: UInt64?

    package init(id: String, timestamp: Double, ssrc: UInt32, kind: String) {
        self.id = id
        self.timestamp = timestamp
        self.ssrc = ssrc
        self.kind = kind
    }
}
