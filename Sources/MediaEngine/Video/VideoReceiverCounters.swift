/// What a received video stream has counted, under the names of webrtc-stats where it has them.
package struct VideoReceiverCounters: Hashable, Sendable {
    /// Whole frames.
    package internal(set) var framesReceived: UInt64 = 0
    package internal(set) var keyFramesReceived: UInt64 = 0
    package internal(set) var framesAssembledFromMultiplePackets: UInt64 = 0
    package internal(set) var totalAssemblyTime = Duration.zero
    /// Frames handed to the decoder, and from the arrival of their first packets to then.
    package internal(set) var framesReleased: UInt64 = 0
    package internal(set) var jitterBufferDelay = Duration.zero
    /// Whole frames that were left out: late, or without what they depend on.
    package internal(set) var framesDropped: UInt64 = 0
    /// Feedback packets of each kind.
    package internal(set) var nackCount: UInt64 = 0
    package internal(set) var pliCount: UInt64 = 0
    package internal(set) var firCount: UInt64 = 0
    package internal(set) var retransmittedPacketCount: UInt64 = 0
    package internal(set) var retransmittedByteCount: UInt64 = 0
    /// Came twice or too late.
    package internal(set) var discardedPacketCount: UInt64 = 0
    package internal(set) var malformedPacketCount: UInt64 = 0
    /// Of a payload type that was not agreed on.
    package internal(set) var foreignPacketCount: UInt64 = 0
    package internal(set) var decodingFailureCount: UInt64 = 0

    package init() {}
}
