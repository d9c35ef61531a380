internal import Primitives

/// The peer's video section, as far as it can be used.
struct RemoteVideo: Equatable, Sendable {
    let index: Int
    let mid: MID
    let profile: String
    /// Encodings that we know, in the peer's order; never empty.
    let formats: [VideoFormat]
    /// Of the first format.
    let feedback: VideoFeedback
    let extensions: [HeaderExtension]
    let direction: MediaDirection
    let isRTCPReducedSize: Bool
    let source: SSRC?
    let retransmissionSource: SSRC?
    /// The qualities of ours that it takes.
    let receivedStreams: [String]

    /// `nil` where the section is rejected, no video on audio's transport, or has no encoding that we know.
    init?(
        _ description: SessionDescription, at index: Int, besides audio: MID?, codecs: [NegotiatedVideoCodec]
    ) {
        let section = description.sections[index]
        guard section.kind == .video, !section.isRejected, RemoteAudio.profiles.contains(section.profile),
            section.isRTCPMuxed, let mid = section.mid, let audio, description.bundles([audio, mid])
        else { return nil }
        formats = section.rtpMaps.compactMap { map in
            let codec = NegotiatedVideoCodec(map, parameters: section.formatParameters(of: map.payloadType))
            guard let codec, codecs.contains(codec) else { return nil }
            return VideoFormat(
                codec: codec, payloadType: map.payloadType,
                retransmission: section.retransmissionType(of: map.payloadType))
        }
        guard let first = formats.first else { return nil }
        self.index = index
        self.mid = mid
        profile = section.profile
        feedback = VideoFeedback(section.feedback, of: first.payloadType)
        extensions = section.usableExtensions(VideoPlan.offeredExtensions.map(\.uri)).filter {
            !description.hasOther($0, besides: index)
        }
        direction = description.direction(of: section)
        isRTCPReducedSize = section.isRTCPReducedSize
        let flow = section.sourceGroups.first {
            $0.semantics == SourceGroup.flowIdentification && $0.sources.count == 2
        }
        source = flow?.sources[0] ?? section.sources.first?.ssrc
        retransmissionSource = flow?.sources[1]
        receivedStreams = section.simulcast?.receiving.map(\.identifier) ?? []
    }

    /// The section of an offer to take: the one in use, else the first that can be used.
    static func choose(
        from offer: SessionDescription, preferring index: Int?, besides audio: MID?, codecs: [NegotiatedVideoCodec]
    ) -> RemoteVideo? {
        let preferred = index.map { [$0] } ?? []
        return (preferred + Array(offer.sections.indices)).lazy.filter(offer.sections.indices.contains)
            .compactMap { RemoteVideo(offer, at: $0, besides: audio, codecs: codecs) }.first
    }
}

extension SessionDescription {
    /// Whether another section means another extension by this identifier. On one transport each has one meaning
    /// (RFC 8843, section 9); some stacks offer otherwise, and then misread what carries it.
    fileprivate func hasOther(_ item: HeaderExtension, besides index: Int) -> Bool {
        sections.enumerated().contains { place, section in
            place != index && !section.isRejected
                && section.headerExtensions.contains { $0.identifier == item.identifier && $0.uri != item.uri }
        }
    }
}
