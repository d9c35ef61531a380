internal import Primitives

/// The audio section of our own descriptions: what we listen for, and where.
struct AudioPlan: Equatable, Sendable {
    static let profile = "UDP/TLS/RTP/SAVPF"
    static let offeredExtensions = [
        HeaderExtension(identifier: 1, uri: HeaderExtension.audioLevel),
        HeaderExtension(identifier: 4, uri: HeaderExtension.mid),
    ]

    var mid: MID?
    var profile = Self.profile
    /// Best first, telephone events last.
    var formats: [RTPMap]
    var extensions: [HeaderExtension]
    var isRTCPReducedSize = true

    /// The first offer's.
    init(offering codecs: [NegotiatedCodec]) {
        mid = MID("0")
        let rates = Set(codecs.map(\.clockRateHz))
        formats = codecs.map(\.map) + TelephoneEvent.offered.filter { rates.contains($0.clockRateHz) }
        extensions = Self.offeredExtensions
    }

    /// The answer to an offered section: its identifiers, payload types and numbers, our order.
    init(answering remote: RemoteAudio, codecs: [NegotiatedCodec]) {
        mid = remote.mid
        profile = remote.profile
        let chosen = codecs.compactMap { codec in remote.formats.first { NegotiatedCodec($0) == codec } }
        let rates = Set(chosen.map(\.clockRateHz))
        formats = chosen + remote.telephoneEvents.filter { rates.contains($0.clockRateHz) }
        extensions = remote.extensions
        isRTCPReducedSize = remote.isRTCPReducedSize
    }

    /// What is left of an offer after its answer.
    func narrowed(to remote: RemoteAudio) -> AudioPlan {
        var plan = self
        let answered = remote.formats + remote.telephoneEvents
        plan.formats = formats.filter { own in answered.contains { $0.isSameEncoding(as: own) } }
        plan.extensions = extensions.filter { own in
            remote.extensions.contains { $0.uri == own.uri && $0.identifier == own.identifier }
        }
        plan.isRTCPReducedSize = isRTCPReducedSize && remote.isRTCPReducedSize
        return plan
    }

    func identifier(of uri: String) -> UInt8? {
        extensions.first { $0.uri == uri }.map { UInt8(truncatingIfNeeded: $0.identifier) }
    }
}
