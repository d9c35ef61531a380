internal import Primitives

/// The audio section of our own descriptions: what we listen for, and where.
struct AudioPlan: Equatable, Sendable {
    static let profile = "UDP/TLS/RTP/SAVPF"
    static let offeredExtensions = [
        HeaderExtension(identifier: 1, uri: HeaderExtension.audioLevel),
        HeaderExtension(identifier: 3, uri: HeaderExtension.transportSequence),
        HeaderExtension(identifier: 4, uri: HeaderExtension.mid),
    ]

    var mid: MID?
    var profile = Self.profile
    /// Best first, telephone events last. Opus with redundancy stands before Opus, since browsers send the first one that
    /// they know.
    var formats: [RTPMap]
    var extensions: [HeaderExtension]
    /// Whether the arrival of every packet is told.
    var hasTransportFeedback = true
    var isRTCPReducedSize = true

    /// The first offer's.
    init(offering codecs: [NegotiatedCodec]) {
        mid = MID("0")
        let rates = Set(codecs.map(\.clockRateHz))
        formats = codecs.flatMap { $0 == .opus ? [Redundancy.offered, $0.map] : [$0.map] }
        formats += TelephoneEvent.offered.filter { rates.contains($0.clockRateHz) }
        extensions = Self.offeredExtensions
    }

    /// The answer to an offered section: its identifiers, payload types and numbers, our order.
    init(answering remote: RemoteAudio, codecs: [NegotiatedCodec]) {
        mid = remote.mid
        profile = remote.profile
        let chosen = codecs.compactMap { codec in remote.formats.first { NegotiatedCodec($0) == codec } }
        let rates = Set(chosen.map(\.clockRateHz))
        formats = chosen.flatMap { NegotiatedCodec($0) == .opus ? [remote.redundancy, $0].compactMap { $0 } : [$0] }
        formats += remote.telephoneEvents.filter { rates.contains($0.clockRateHz) }
        extensions = remote.extensions
        setTransportFeedback(remote.hasTransportFeedback)
        isRTCPReducedSize = remote.isRTCPReducedSize
    }

    /// What is left of an offer after its answer.
    func narrowed(to remote: RemoteAudio) -> AudioPlan {
        var plan = self
        let answered = remote.formats + remote.telephoneEvents + [remote.redundancy].compactMap { $0 }
        plan.formats = formats.filter { own in answered.contains { $0.isSameEncoding(as: own) } }
        plan.extensions = extensions.filter { own in
            remote.extensions.contains { $0.uri == own.uri && $0.identifier == own.identifier }
        }
        plan.isRTCPReducedSize = isRTCPReducedSize && remote.isRTCPReducedSize
        plan.setTransportFeedback(hasTransportFeedback && remote.hasTransportFeedback)
        return plan
    }

    /// Says whether arrivals are told; the numbers that they are told by go with that.
    private mutating func setTransportFeedback(_ isTold: Bool) {
        hasTransportFeedback = isTold && identifier(of: HeaderExtension.transportSequence) != nil
        if !hasTransportFeedback { extensions.removeAll { $0.uri == HeaderExtension.transportSequence } }
    }

    /// What stands behind the `a=fmtp` of a format; `nil`: there is none.
    func parameters(of map: RTPMap, opus: OpusParameters) -> String? {
        if TelephoneEvent.isOne(map) { return "0-15" }
        if NegotiatedCodec(map) == .opus { return opus.text }
        guard Redundancy.isOne(map) else { return nil }
        return formats.first { NegotiatedCodec($0) == .opus }.map { Redundancy.parameters(of: $0.payloadType) }
    }

    func identifier(of uri: String) -> UInt8? {
        extensions.first { $0.uri == uri }.map { UInt8(truncatingIfNeeded: $0.identifier) }
    }
}
