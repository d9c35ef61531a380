internal import Primitives

/// Everything that one of our descriptions says.
struct LocalDescription: Equatable, Sendable {
    var origin: SDPOrigin
    var slots: [SectionSlot]
    var plan: AudioPlan
    /// `nil`: no slot is for data.
    var data: NegotiationConfiguration.LocalData?
    var direction: MediaDirection
    var setup: DTLSSetup
    var credentials: ICEParameters
    var fingerprint: Fingerprint
    var opus: OpusParameters
    var packetTime: Duration?
    var candidates: [CandidateAttribute]
    var hasAllCandidates: Bool
    /// `false`: an answer to an offer without a bundle.
    var isBundled: Bool

    var text: String {
        var description = SessionDescription(origin: origin)
        let mids = bundledMIDs.map(\.rawValue)
        if isBundled, !mids.isEmpty { description.add("group", (["BUNDLE"] + mids).joined(separator: " ")) }
        description.sections = slots.map(section)
        return description.text
    }

    /// That whose transport all use comes first (RFC 8843, section 7.2).
    private var bundledMIDs: [MID] {
        let others = slots.compactMap { slot in
            switch slot {
            case .audio: plan.mid
            case .data(let data): data.mid
            case .video(let video): video.mid
            case .rejected, .carrier: nil
            }
        }
        return [slots.carrierMID].compactMap { $0 } + others
    }

    private func section(_ slot: SectionSlot) -> MediaSection {
        switch slot {
        case .audio: return audioSection()
        case .data(let data): return dataSection(data)
        case .video(let video):
            var section = video.section(port: 9)
            addTransport(to: &section)
            return section
        case .rejected(var section):
            // As browsers do: aiortc takes no description with a section that lacks these.
            if section.kind != .application { section.add("rtcp-mux") }
            addParameters(to: &section)
            return section
        case .carrier(var section):
            section.add("rtcp-mux")
            addTransport(to: &section)
            return section
        }
    }

    private func audioSection() -> MediaSection {
        let formats = plan.formats.map { "\($0.payloadType.rawValue)" }
        var section = MediaSection(kind: .audio, port: 9, profile: plan.profile, formats: formats)
        section.lines = [SDPLine(type: "c", value: "IN IP4 0.0.0.0")]
        if let mid = plan.mid { section.add("mid", mid.rawValue) }
        section.add(direction.rawValue)
        section.add("rtcp-mux")
        if plan.isRTCPReducedSize { section.add("rtcp-rsize") }
        addTransport(to: &section)
        for item in plan.extensions { section.add("extmap", item.text) }
        for map in plan.formats {
            section.add("rtpmap", map.text)
            if let parameters = plan.parameters(of: map, opus: opus) {
                section.add("fmtp", "\(map.payloadType.rawValue) \(parameters)")
            }
            if plan.hasTransportFeedback, NegotiatedCodec(map) != nil {
                section.add("rtcp-fb", FeedbackAttribute(payloadType: map.payloadType, kind: "transport-cc").text)
            }
        }
        if let packetTime { section.add("ptime", "\(packetTime.nanoseconds / 1_000_000)") }
        return section
    }

    private func dataSection(_ data: DataPlan) -> MediaSection {
        var section = data.section(port: 9)
        addTransport(to: &section)
        guard let local = self.data else { return section }
        if data.profile == MediaSection.numberedDataChannelProfile {
            section.formats = ["\(local.sctpPort)"]
            section.add("sctpmap", "\(local.sctpPort) \(MediaSection.dataChannelFormat) 65535")
        } else {
            section.add("sctp-port", "\(local.sctpPort)")
        }
        section.add("max-message-size", "\(local.maximumMessageSize)")
        return section
    }

    private func addTransport(to section: inout MediaSection) {
        addParameters(to: &section)
        for candidate in candidates { section.add("candidate", candidate.value) }
        if hasAllCandidates { section.add("end-of-candidates") }
    }

    private func addParameters(to section: inout MediaSection) {
        section.add("ice-ufrag", credentials.ufrag)
        section.add("ice-pwd", credentials.password)
        section.add("ice-options", "trickle")
        section.add("fingerprint", fingerprint.text)
        section.add("setup", setup.rawValue)
    }
}
