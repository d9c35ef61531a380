internal import Primitives

/// The video section of our own descriptions.
struct VideoPlan: Equatable, Sendable {
    static let offeredExtensions = [
        HeaderExtension(identifier: 2, uri: HeaderExtension.sendTime),
        HeaderExtension(identifier: 3, uri: HeaderExtension.transportSequence),
        HeaderExtension(identifier: 4, uri: HeaderExtension.mid),
        HeaderExtension(identifier: 10, uri: HeaderExtension.stream),
        HeaderExtension(identifier: 11, uri: HeaderExtension.repairedStream),
    ]

    var mid: MID?
    var profile = AudioPlan.profile
    /// Best first.
    var formats: [VideoFormat]
    var extensions: [HeaderExtension]
    var feedback: VideoFeedback
    var direction: MediaDirection
    var streams: [String] = []
    var isRTCPReducedSize = true

    /// The first offer's.
    init(offering local: NegotiationConfiguration.LocalVideo, mid: MID, direction: MediaDirection) {
        self.mid = mid
        self.direction = direction
        formats = local.codecs.map {
            VideoFormat(codec: $0, payloadType: $0.map.payloadType, retransmission: $0.retransmissionType)
        }
        feedback = local.feedback
        streams = local.streams
        extensions = Self.offeredExtensions.filter { Self.isWanted($0, feedback: local.feedback) }
    }

    /// The answer to an offered section: its identifiers and numbers, our order, and the feedback that both know.
    init(answering remote: RemoteVideo, local: NegotiationConfiguration.LocalVideo, direction: MediaDirection) {
        mid = remote.mid
        profile = remote.profile
        formats = local.codecs.compactMap { codec in remote.formats.first { $0.codec == codec } }
        feedback = local.feedback.intersection(remote.feedback)
        let common = feedback
        extensions = remote.extensions.filter { Self.isWanted($0, feedback: common) }
        isRTCPReducedSize = remote.isRTCPReducedSize
        self.direction = direction.intersection(remote.direction.reversed)
    }

    /// What is left of an offer after its answer; `nil`: no encoding.
    func narrowed(to remote: RemoteVideo) -> VideoPlan? {
        var plan = self
        plan.formats = formats.filter { own in remote.formats.contains { $0.codec == own.codec } }
        guard !plan.formats.isEmpty else { return nil }
        plan.feedback = feedback.intersection(remote.feedback)
        plan.extensions = extensions.filter(remote.extensions.contains)
        plan.streams = streams.filter(remote.receivedStreams.contains)
        plan.isRTCPReducedSize = isRTCPReducedSize && remote.isRTCPReducedSize
        return plan
    }

    /// What an answer of this plan agrees on.
    func answered(to remote: RemoteVideo) -> VideoParameters? {
        parameters(remote, sending: formats, direction: direction)
    }

    /// - Parameter sending: the peer's formats, the one to send first.
    func parameters(_ remote: RemoteVideo, sending: [VideoFormat], direction: MediaDirection) -> VideoParameters? {
        guard let first = sending.first else { return nil }
        return VideoParameters(
            mid: mid, direction: direction, sending: first, sendable: sending, receiving: formats, feedback: feedback,
            midExtension: identifier(of: HeaderExtension.mid),
            transportSequenceExtension: identifier(of: HeaderExtension.transportSequence),
            sendTimeExtension: identifier(of: HeaderExtension.sendTime),
            streamExtension: identifier(of: HeaderExtension.stream),
            repairedStreamExtension: identifier(of: HeaderExtension.repairedStream), sendingStreams: streams,
            source: remote.source, retransmissionSource: remote.retransmissionSource,
            isRTCPReducedSize: isRTCPReducedSize)
    }

    /// The section without what it has of transport.
    func section(port: UInt16) -> MediaSection {
        let types = formats.flatMap { [$0.payloadType, $0.retransmission].compactMap { $0?.rawValue } }
        var section = MediaSection(kind: .video, port: port, profile: profile, formats: types.map { "\($0)" })
        section.lines = [SDPLine(type: "c", value: "IN IP4 0.0.0.0")]
        if let mid { section.add("mid", mid.rawValue) }
        section.add(direction.rawValue)
        section.add("rtcp-mux")
        if isRTCPReducedSize { section.add("rtcp-rsize") }
        for item in extensions { section.add("extmap", item.text) }
        for format in formats { add(format, to: &section) }
        // One stream alone needs no name.
        guard streams.count > 1 else { return section }
        for stream in streams {
            section.add("rid", StreamRestriction(identifier: stream, direction: .send).text)
        }
        section.add("simulcast", SimulcastAttribute(sending: streams.map { .init($0) }).text)
        return section
    }

    private func add(_ format: VideoFormat, to section: inout MediaSection) {
        let type = format.payloadType
        var map = format.codec.map
        map.payloadType = type
        section.add("rtpmap", map.text)
        if let parameters = format.codec.parameters { section.add("fmtp", "\(type.rawValue) \(parameters)") }
        for item in feedback.attributes(of: type) { section.add("rtcp-fb", item.text) }
        guard let repeated = format.retransmission else { return }
        section.add("rtpmap", RTPMap(payloadType: repeated, encoding: "rtx", clockRateHz: 90_000).text)
        section.add("fmtp", "\(repeated.rawValue) apt=\(type.rawValue)")
    }

    private static func isWanted(_ item: HeaderExtension, feedback: VideoFeedback) -> Bool {
        switch item.uri {
        case HeaderExtension.transportSequence: feedback.contains(.transportWide)
        case HeaderExtension.sendTime: feedback.contains(.maximumBitrate)
        default: true
        }
    }

    private func identifier(of uri: String) -> UInt8? {
        extensions.first { $0.uri == uri }.map { UInt8(truncatingIfNeeded: $0.identifier) }
    }
}
