package import Primitives

/// What was agreed on about video, which shares the transport of audio.
package struct VideoParameters: Equatable, Sendable {
    package var mid: MID?
    /// What we may send and may receive.
    package var direction: MediaDirection
    /// What we send, at the peer's numbers, unless something else of `sendable` suits all peers better.
    package var sending: VideoFormat
    /// What the peer takes at any time, at its numbers, best first.
    package var sendable: [VideoFormat]
    /// What the peer may send, any time.
    package var receiving: [VideoFormat]
    package var feedback: VideoFeedback
    /// Identifiers of header extensions, 1…14; `nil`: not agreed on.
    package var midExtension: UInt8?
    package var transportSequenceExtension: UInt8?
    package var sendTimeExtension: UInt8?
    package var streamExtension: UInt8?
    package var repairedStreamExtension: UInt8?
    /// The qualities that we send (RFC 8853), best first; empty: one stream without a name.
    package var sendingStreams: [String]
    /// The peer's stream and the one that repeats its packets, where it told.
    package var source: SSRC?
    package var retransmissionSource: SSRC?
    package var isRTCPReducedSize: Bool
}
