import Primitives
import Testing

@testable import SDP

/// Video in offers and answers.
@Suite struct VideoTests {
    private static func withVideo(_ configuration: inout NegotiationConfiguration) {
        var video = NegotiationConfiguration.LocalVideo()
        video.feedback.insert(.transportWide)
        video.feedback.insert(.maximumBitrate)
        configuration.video = video
    }

    private static let section = """
        m=video 9 UDP/TLS/RTP/SAVPF 100 101 102 103 104\r
        c=IN IP4 0.0.0.0\r
        a=mid:v\r
        a=sendrecv\r
        a=rtcp-mux\r
        a=rtcp-rsize\r
        a=ice-ufrag:abcd\r
        a=ice-pwd:abcdefghijklmnopqrstuv\r
        a=setup:actpass\r
        a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid\r
        a=extmap:7 \(HeaderExtension.transportSequence)\r
        a=rtpmap:100 H264/90000\r
        a=rtpmap:101 VP9/90000\r
        a=fmtp:101 profile-id=2\r
        a=rtpmap:102 vp8/90000\r
        a=rtcp-fb:* nack pli\r
        a=rtcp-fb:102 nack\r
        a=rtcp-fb:102 transport-cc\r
        a=rtcp-fb:100 goog-remb\r
        a=rtpmap:103 rtx/90000\r
        a=fmtp:103 apt=102\r
        a=rtpmap:104 rtx/90000\r
        a=fmtp:104 apt=100\r
        a=ssrc-group:FID 11 12\r
        a=ssrc:11 cname:x\r

        """

    private static let offer = Fixture.small.replacing("BUNDLE a", with: "BUNDLE a v") + section

    private func answering(
        _ offer: String, direction: MediaDirection = .sendrecv
    ) throws -> (Side, SessionDescription) {
        var side = Side(isPolite: true, configure: Self.withVideo)
        side.run { $0.setVideoDirection(direction) }
        side.receive(.offer, offer)
        return (side, try #require(side.lastDescription))
    }

    private func offered(
        configure: (inout NegotiationConfiguration) -> Void = VideoTests.withVideo
    ) throws -> (Side, SessionDescription) {
        var side = Side(isPolite: false, configure: configure)
        side.run { $0.start() }
        return (side, try #require(side.lastDescription))
    }

    @Test func theFirstOfferHasBothCodecsWithRepetitionAndFeedback() throws {
        let (_, offer) = try offered()
        let video = try #require(offer.sections.last)
        #expect(video.kind == .video && video.formats == ["96", "97", "98", "99"] && video.isRTCPMuxed)
        #expect(offer.groups == [MediaGroup("BUNDLE 0 1")])
        #expect(video.rtpMaps.map(\.encoding) == ["VP8", "rtx", "VP9", "rtx"])
        #expect(video.retransmissionType(of: PayloadType(98)) == PayloadType(99))
        #expect(video.formatParameters(of: PayloadType(98))?["profile-id"] == "0")
        let kinds = video.feedback.filter { $0.payloadType == PayloadType(96) }.map {
            "\($0.kind) \($0.parameter ?? "-")"
        }
        #expect(kinds == ["goog-remb -", "transport-cc -", "ccm fir", "nack -", "nack pli"])
        #expect(video.headerExtensions.map(\.identifier) == [2, 3, 4, 10, 11])
        #expect(video.setup == .actpass && video.fingerprints == offer.sections[0].fingerprints)
        #expect(offer.sections[0].headerExtensions.map(\.identifier) == [1, 3, 4], "one number for both")
    }

    @Test func withoutVideoOfOurOwnItIsDeclined() throws {
        var side = Side(isPolite: true)
        side.receive(.offer, Self.offer)
        #expect(side.lastDescription?.sections.map(\.port) == [9, 0] && side.video.isEmpty && side.media.count == 1)
        side = Side(isPolite: false)
        side.run { $0.start() }
        #expect(side.lastDescription?.sections.count == 1)
    }

    @Test func anOfferedSectionIsAnsweredAtItsNumbers() throws {
        let (side, answer) = try answering(Self.offer)
        let video = answer.sections[1]
        #expect(video.port == 9 && video.formats == ["102", "103"] && video.mid == MID("v"))
        #expect(answer.groups == [MediaGroup("BUNDLE a v")] && video.setup == answer.sections[0].setup)
        #expect(video.headerExtensions.map(\.identifier) == [7, 4])
        let told = try #require(side.video.last ?? nil)
        let format = VideoFormat(codec: .vp8, payloadType: PayloadType(102), retransmission: PayloadType(103))
        #expect(
            told.sending == format && told.sendable == [format] && told.receiving == [format]
                && told.direction == .sendrecv)
        #expect(told.feedback == [.nack, .pictureLoss, .transportWide])
        #expect(told.source == SSRC(11) && told.retransmissionSource == SSRC(12))
        #expect(told.midExtension == 4 && told.transportSequenceExtension == 7 && told.streamExtension == nil)
        #expect(side.transports.count == 1 && side.media.count == 1)
    }

    /// As aiortc 1.4 offers it: the time of sending where audio has its level.
    @Test func anIdentifierWithTwoMeaningsKeepsThatOfAudio() throws {
        let level = "a=extmap:2 \(HeaderExtension.audioLevel)\r\n"
        let time = "a=extmap:2 \(HeaderExtension.sendTime)\r\n"
        let offer = Self.offer.replacing("a=rtcp-fb:102 nack\r\n", with: "a=rtcp-fb:102 goog-remb\r\n" + time)
        #expect(try answering(offer).1.sections[1].headerExtensions.map(\.identifier) == [2, 7, 4])
        let clashing = offer.replacing("m=video", with: level + "m=video")
        let (side, answer) = try answering(clashing)
        #expect(answer.sections[1].headerExtensions.map(\.identifier) == [7, 4])
        #expect((side.video.last ?? nil)?.sendTimeExtension == nil && side.media.last?.audioLevelExtension == 2)
    }

    @Test(arguments: Fixture.offers) func everyRealOfferOfVideoIsTaken(name: String) throws {
        let offer = try SessionDescription(parsing: Fixture.text(name))
        let index = offer.sections.firstIndex { $0.kind == .video && !$0.isRejected }
        let (side, answer) = try answering(offer.text)
        #expect(side.refusals.isEmpty && answer.sections.map(\.kind) == offer.sections.map(\.kind))
        guard let index, let told = side.video.last ?? nil else {
            #expect(index == nil, "video was declined")
            return
        }
        #expect(answer.sections[index].port == 9 && told.sending.codec == .vp8)
        #expect(offer.sections[index].formats.contains("\(told.sending.payloadType.rawValue)"))
        // GStreamer repeats no packets.
        #expect(told.feedback.contains(.pictureLoss) && told.feedback.contains(.nack) == !name.hasPrefix("gstreamer"))
        #expect(told.direction == offer.direction(of: offer.sections[index]).reversed)
    }

    @Test(arguments: ["aiortc-offer", "chromium-offers-firefox", "firefox-offer"])
    func browsersRepeatPackets(name: String) throws {
        let (side, _) = try answering(Fixture.text(name))
        let told = try #require(side.video.last ?? nil)
        #expect(told.sending.retransmission != nil)
        #expect(told.source != nil)
    }

    @Test(arguments: [
        ("BUNDLE a v", "BUNDLE a"), ("m=video 9", "m=video 0"), ("a=mid:v\r\n", ""), ("vp8/90000", "AV1/90000"),
        ("vp8/90000", "VP8/48000"), ("m=video 9 UDP/TLS/RTP/SAVPF", "m=video 9 RTP/AVP"),
    ])
    func whatCannotBeUsedIsDeclinedAndAudioGoesOn(part: String, replacement: String) throws {
        let (side, answer) = try answering(Self.offer.replacing(part, with: replacement))
        #expect(answer.sections.map(\.port) == [9, 0])
        #expect(side.video.isEmpty && side.media.count == 1 && side.refusals.isEmpty)
    }

    @Test func directionsMeet() throws {
        let cases: [(MediaDirection, String, MediaDirection)] = [
            (.sendrecv, "sendrecv", .sendrecv), (.recvonly, "sendrecv", .recvonly), (.sendrecv, "sendonly", .recvonly),
            (.sendonly, "sendonly", .inactive), (.sendrecv, "inactive", .inactive),
        ]
        for (wish, offered, agreed) in cases {
            let text = Self.offer.replacing("a=mid:v\r\na=sendrecv", with: "a=mid:v\r\na=\(offered)")
            let (side, answer) = try answering(text, direction: wish)
            #expect(answer.direction(of: answer.sections[1]) == agreed && (side.video.last ?? nil)?.direction == agreed)
            #expect(side.media.last?.direction == .sendrecv, "audio has its own")
        }
    }

    @Test(arguments: [("m=video 9", "m=video 0"), ("BUNDLE 0 1", "BUNDLE 0"), ("a=mid:1", "a=mid:7")])
    func anAnswerMayDeclineVideoAndItsPlaceStays(part: String, replacement: String) throws {
        var (side, _) = try offered()
        var peer = Side(isPolite: true, configure: Self.withVideo)
        guard case .description(let offer)? = side.outbox.first else { return }
        peer.receive(.description(offer))
        let answer = try #require(peer.lastDescription).text
        side.receive(.answer, answer.replacing(part, with: replacement))
        #expect(side.refusals.isEmpty && side.media.count == 1 && side.video.isEmpty)
        side.run { $0.setDirection(.inactive) }
        let next = try #require(side.lastDescription)
        #expect(next.sections.map(\.port) == [9, 0] && next.sections[1].mid == MID("1"))
    }

    @Test func theAnswersCodecIsSent() throws {
        var (side, _) = try offered()
        var peer = Side(isPolite: true) { configuration in
            Self.withVideo(&configuration)
            configuration.video?.codecs = [.vp9]
        }
        guard case .description(let offer)? = side.outbox.first else { return }
        peer.receive(.description(offer))
        guard case .description(let answer)? = peer.outbox.first else { return }
        side.receive(.description(answer))
        let told = try #require(side.video.last ?? nil)
        #expect(told.sending.codec == .vp9 && told.receiving.map(\.codec) == [.vp9])
        #expect(told.sending.retransmission == PayloadType(99))
    }

    @Test(arguments: 0..<16) func glareAgreesOnVideoOnceAndDirectionsFollow(order: Int) throws {
        var pair = Pair(configure: Self.withVideo)
        pair.polite.run { $0.start() }
        pair.impolite.run { $0.start() }
        for bit in 0..<4 {
            let fromPolite = order >> bit & 1 == 1
            if !pair.deliver(fromPolite: fromPolite) { pair.deliver(fromPolite: !fromPolite) }
        }
        pair.drain()
        try pair.expectAgreement()
        pair.polite.run { $0.setVideoDirection(.recvonly) }
        pair.impolite.run { $0.restartICE() }
        pair.drain()
        try pair.expectAgreement()
        #expect((pair.polite.video.last ?? nil)?.direction == .recvonly)
        #expect((pair.impolite.video.last ?? nil)?.direction == .sendonly)
        #expect(pair.polite.lastDescription?.sections.count == 2)
        pair.polite.run { $0.setVideoDirection(.sendrecv) }
        pair.drain()
        #expect((pair.impolite.video.last ?? nil)?.direction == .sendrecv && pair.impolite.video.count == 3)
    }

    @Test func aPeerMayEndVideoAndBeginItAgain() throws {
        var (side, _) = try answering(Self.offer)
        side.receive(.offer, Self.offer.replacing("m=video 9", with: "m=video 0"))
        #expect(side.video.count == 2 && side.video[1] == nil && side.negotiation.video == nil)
        side.receive(.offer, Self.offer)
        #expect(side.video.count == 3 && side.video[2] != nil)
        side.receive(.offer, Self.offer.replacing("m=audio 9", with: "m=audio 0"))
        #expect(side.video.count == 4 && side.video[3] == nil && side.isStopped, "video without audio is declined")
    }

    @Test func severalQualitiesAreOfferedAndThoseTakenAreTold() throws {
        var (side, offer) = try offered { configuration in
            configuration.video = NegotiationConfiguration.LocalVideo()
            configuration.video?.streams = ["m", "l"]
        }
        let section = offer.sections[1]
        #expect(section.simulcast == SimulcastAttribute(sending: [.init("m"), .init("l")]))
        #expect(section.restrictions.map(\.identifier) == ["m", "l"])
        var peer = Side(isPolite: true, configure: Self.withVideo)
        guard case .description(let sent)? = side.outbox.first else { return }
        peer.receive(.description(sent))
        let answer = try #require(peer.lastDescription).text
        side.receive(.answer, answer + "a=rid:m recv\r\na=rid:l recv\r\na=simulcast:recv m;~l\r\n")
        #expect((side.video.last ?? nil)?.sendingStreams == ["m", "l"])
        (side, _) = try offered { $0.video = .init() }
        side.receive(.answer, answer)
        #expect((side.video.last ?? nil)?.sendingStreams == [])
    }

    @Test func attributesAreReadAndMalformedOnesAreNone() throws {
        #expect(
            FeedbackAttribute("96 nack pli")?.text == "96 nack pli"
                && FeedbackAttribute("* ccm fir")?.payloadType == nil)
        #expect(FeedbackAttribute("nack") == nil && FeedbackAttribute("200 nack") == nil)
        #expect(SourceGroup("FID 1 2")?.sources == [SSRC(1), SSRC(2)] && SourceGroup("FID 1 x") == nil)
        #expect(StreamRestriction("hi send pt=96;max-width=640")?.text == "hi send pt=96;max-width=640")
        #expect(StreamRestriction("h! send") == nil && StreamRestriction("h both") == nil)
        let simulcast = try #require(SimulcastAttribute("send h,x;~l recv m"))
        #expect(simulcast.sending == [.init("h"), .init("l", isPaused: true)] && simulcast.receiving == [.init("m")])
        #expect(simulcast.text == "send h;~l recv m")
        for text in ["", "send", "send h; l", "sideways h", "send h recv", "send ;"] {
            #expect(SimulcastAttribute(Substring(text)) == nil, "\(text)")
        }
    }

    @Test func anythingMayComeInAnyStateWithoutATrap() throws {
        var generator = SplitMix64(seed: 79)
        let texts = try Fixture.all.map(Fixture.text) + [Self.offer]
        var agreedCount = 0
        for seed in 0..<100 {
            var side = Side(isPolite: seed % 2 == 0, seed: UInt64(seed), configure: Self.withVideo)
            if seed % 3 == 0 { side.run { $0.start() } }
            for _ in 0..<10 {
                let text = [UInt8](texts.randomElement(using: &generator)?.utf8 ?? "".utf8)
                let bytes = Bool.random(using: &generator) ? text : mutated(text, using: &generator)
                let kind: SignaledDescription.Kind = Bool.random(using: &generator) ? .offer : .answer
                side.receive(kind, String(decoding: bytes, as: UTF8.self))
                #expect(side.negotiation.video == (side.video.last ?? nil))
            }
            agreedCount += side.video.compactMap(\.self).count
        }
        #expect(agreedCount > 50)
    }
}
