internal import Primitives

/// The peer's audio section, as far as it can be used.
struct RemoteAudio: Equatable, Sendable {
    static let profiles: Set = [
        "UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "RTP/SAVPF", "RTP/SAVP", "TCP/DTLS/RTP/SAVPF", "TCP/DTLS/RTP/SAVP",
    ]

    let index: Int
    let mid: MID?
    let profile: String
    /// Encodings that we know, in the peer's order; never empty.
    let formats: [RTPMap]
    let telephoneEvents: [RTPMap]
    /// Opus with redundancy; `nil`: there is none.
    let redundancy: RTPMap?
    let extensions: [HeaderExtension]
    let direction: MediaDirection
    let isRTCPReducedSize: Bool
    let hasTransportFeedback: Bool
    let opus: OpusParameters
    let packetTime: Duration?
    let maximumPacketTime: Duration?

    /// `nil` where the section is rejected, no audio over DTLS-SRTP, or has no encoding that we know.
    init?(_ description: SessionDescription, at index: Int, codecs: [NegotiatedCodec]) {
        let section = description.sections[index]
        guard section.kind == .audio, !section.isRejected, Self.profiles.contains(section.profile) else { return nil }
        let maps = section.rtpMaps
        formats = maps.filter { map in NegotiatedCodec(map).map(codecs.contains) ?? false }
        guard !formats.isEmpty else { return nil }
        self.index = index
        mid = section.mid
        profile = section.profile
        telephoneEvents = maps.filter(TelephoneEvent.isOne)
        extensions = section.usableExtensions(AudioPlan.offeredExtensions.map(\.uri))
        direction = description.direction(of: section)
        isRTCPReducedSize = section.isRTCPReducedSize
        let types: [PayloadType?] = [nil] + formats.map(\.payloadType)
        hasTransportFeedback = section.feedback.contains {
            $0.kind == "transport-cc" && types.contains($0.payloadType)
        }
        let opusType = formats.first { NegotiatedCodec($0) == .opus }?.payloadType
        redundancy = maps.first { map in
            guard let opusType, Redundancy.isOne(map) else { return false }
            return section.formatParameters(of: map.payloadType).map { Redundancy.isOf(opusType, $0) } ?? false
        }
        opus = opusType.flatMap(section.formatParameters).map(OpusParameters.init) ?? OpusParameters()
        packetTime = section.packetTime
        maximumPacketTime = section.maximumPacketTime
    }

    /// The section of an offer to answer: the one in use, else the first that can be used.
    static func choose(
        from offer: SessionDescription, preferring index: Int?, codecs: [NegotiatedCodec]
    ) -> RemoteAudio? {
        let preferred = index.map { [$0] } ?? []
        for index in preferred + Array(offer.sections.indices) where offer.sections.indices.contains(index) {
            let isMuxed = offer.sections[index].isRTCPMuxed
            if isMuxed, let audio = RemoteAudio(offer, at: index, codecs: codecs) { return audio }
        }
        return nil
    }
}
