package import Primitives

/// What is fixed about a payload format: the names that session descriptions use, and its clock.
package struct PayloadFormat: Hashable, Sendable {
    /// As in `a=rtpmap`; compared without regard to case.
    package var encodingName: String
    /// Ticks of the RTP timestamp in a second.
    package var clockRateHz: Int32
    /// As in `a=rtpmap`.
    package var channelCount: Int
    /// The number that RFC 3551 assigns; `nil`: negotiated.
    package var staticType: PayloadType?

    /// RFC 7587: always 48 kHz and two channels in the description, whatever is sent.
    package static let opus = PayloadFormat(encodingName: "opus", clockRateHz: 48_000, channelCount: 2)
    /// G.711 µ-law (RFC 3551, section 4.5.14).
    package static let pcmu = PayloadFormat(
        encodingName: "PCMU", clockRateHz: 8000, channelCount: 1, staticType: PayloadType(0))
    /// G.711 A-law (RFC 3551, section 4.5.14).
    package static let pcma = PayloadFormat(
        encodingName: "PCMA", clockRateHz: 8000, channelCount: 1, staticType: PayloadType(8))
    /// RFC 4733 events beside a stream with an 8 kHz clock.
    package static let telephoneEvent = PayloadFormat(
        encodingName: "telephone-event", clockRateHz: 8000, channelCount: 1)
    /// RFC 7741.
    package static let vp8 = PayloadFormat(encodingName: "VP8", clockRateHz: 90_000, channelCount: 1)
    /// RFC 9628.
    package static let vp9 = PayloadFormat(encodingName: "VP9", clockRateHz: 90_000, channelCount: 1)
}
