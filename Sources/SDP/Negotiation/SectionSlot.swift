internal import Primitives

/// What stands at one place in the order of media sections. Places are never given up (RFC 3264, section 8).
enum SectionSlot: Equatable, Sendable {
    case audio
    /// Data channels, on the transport of audio.
    case data(DataPlan)
    /// Video, on the transport of audio.
    case video(VideoPlan)
    /// Refused, with port 0.
    case rejected(MediaSection)
    /// Inactive, kept because audio travels on its transport (RFC 8843, section 7.3.2).
    case carrier(MediaSection)

    static func rejecting(_ section: MediaSection) -> SectionSlot {
        .rejected(skeleton(of: section, port: 0))
    }

    static func carrying(_ section: MediaSection) -> SectionSlot {
        .carrier(skeleton(of: section, port: 9))
    }

    /// Kind, profile, identifier and first format of an offered section.
    private static func skeleton(of section: MediaSection, port: UInt16) -> MediaSection {
        var copy = MediaSection(
            kind: section.kind, port: port, profile: section.profile, formats: Array(section.formats.prefix(1)))
        copy.lines = [SDPLine(type: "c", value: "IN IP4 0.0.0.0")]
        if let mid = section.mid { copy.add("mid", mid.rawValue) }
        copy.add("inactive")
        let map = section.rtpMaps.first { copy.formats == ["\($0.payloadType.rawValue)"] }
        if let map { copy.add("rtpmap", map.text) }
        return copy
    }
}

extension [SectionSlot] {
    /// How the sections of an offer are answered when `audio`, that at `data` and that at `video` are taken; `nil`: none
    /// is.
    init(
        answering offer: SessionDescription, audio: RemoteAudio?, data: Int? = nil,
        video: (index: Int, plan: VideoPlan)? = nil
    ) {
        let carrier = audio.flatMap { offer.carrierIndex(of: $0) }
        self = offer.sections.indices.map { index in
            if index == audio?.index { return .audio }
            let section = offer.sections[index]
            if index == data { return .data(DataPlan(mid: section.mid, profile: section.profile)) }
            if let video, index == video.index { return .video(video.plan) }
            return index == carrier ? .carrying(section) : .rejecting(section)
        }
    }

    var audioIndex: Int? {
        firstIndex(of: .audio)
    }

    var dataIndex: Int? {
        firstIndex { if case .data = $0 { true } else { false } }
    }

    var videoIndex: Int? {
        firstIndex { if case .video = $0 { true } else { false } }
    }

    var carrierMID: MID? {
        for case .carrier(let section) in self { return section.mid }
        return nil
    }
}

extension SessionDescription {
    /// The other section on whose transport a bundle-only audio section travels.
    fileprivate func carrierIndex(of audio: RemoteAudio) -> Int? {
        let section = sections[audio.index]
        guard section.isBundleOnly, section.port == 0 else { return nil }
        let carrier = transportSection(for: section)
        return sections.firstIndex { $0.mid == carrier.mid && $0.mid != section.mid }
    }
}
