package import Primitives

/// What was agreed on about data channels, which share the transport of audio.
package struct DataParameters: Hashable, Sendable {
    package var mid: MID?
    /// The peer's SCTP port.
    package var remotePort: UInt16
    /// Bytes that a message to the peer may have.
    package var remoteMessageLimit: Int

    /// `nil` where the section is rejected, no data channels, or not in the bundle of audio.
    init?(_ description: SessionDescription, at index: Int, besides audio: MID?) {
        let section = description.sections[index]
        guard section.isDataChannel, !section.isRejected, let port = section.sctpPort, let mid = section.mid,
            let audio, description.bundles([audio, mid])
        else { return nil }
        self.mid = mid
        remotePort = port
        remoteMessageLimit = section.maximumMessageSize
    }

    /// The section of an offer to take: the one in use, else the first that can be used.
    static func choose(
        from offer: SessionDescription, preferring index: Int?, besides audio: MID?
    ) -> (index: Int, data: DataParameters)? {
        let preferred = index.map { [$0] } ?? []
        for index in preferred + Array(offer.sections.indices) where offer.sections.indices.contains(index) {
            if let data = DataParameters(offer, at: index, besides: audio) { return (index, data) }
        }
        return nil
    }
}

/// The data section of our own descriptions.
struct DataPlan: Equatable, Sendable {
    var mid: MID?
    var profile = MediaSection.dataChannelProfiles[0]

    /// The section without what it has of transport and size.
    func section(port: UInt16) -> MediaSection {
        var section = MediaSection(
            kind: .application, port: port, profile: profile, formats: [MediaSection.dataChannelFormat])
        section.lines = [SDPLine(type: "c", value: "IN IP4 0.0.0.0")]
        if let mid { section.add("mid", mid.rawValue) }
        return section
    }
}
