import Primitives
import Testing

@testable import SDP

/// How offers are answered, those of real peers above all.
@Suite struct AnsweringTests {
    private func answering(
        _ offer: String, configure: (inout NegotiationConfiguration) -> Void = { _ in }
    ) throws -> (Side, SessionDescription) {
        var side = Side(isPolite: true, configure: configure)
        side.receive(.offer, offer)
        return (side, try #require(side.lastDescription))
    }

    @Test(arguments: Fixture.offers)
    func everyRealOfferIsAnswered(name: String) throws {
        let offer = try SessionDescription(parsing: Fixture.text(name))
        let (side, answer) = try answering(offer.text)
        #expect(side.refusals.isEmpty && side.negotiation.phase == .stable)
        #expect(answer.sections.count == offer.sections.count)
        for (offered, answered) in zip(offer.sections, answer.sections) {
            #expect(answered.kind == offered.kind && answered.profile == offered.profile && answered.mid == offered.mid)
            #expect(answered.formats.allSatisfy(offered.formats.contains), "an answer has no number of its own")
            #expect((answered.port == 0) == (offered.kind != .audio))
        }
        let (offered, answered) = (offer.sections[0], answer.sections[0])
        #expect(answered.setup == .passive && answered.isRTCPMuxed)
        #expect(answered.direction(in: answer) == offered.direction(in: offer).reversed)
        #expect(answer.groups == [try MediaGroup("BUNDLE \(#require(offered.mid).rawValue)")])
        let maps = answered.rtpMaps.filter { !Redundancy.isOne($0) }
        #expect(maps.first?.isSameEncoding(as: NegotiatedCodec.opus.map) == true)
        #expect(maps.first?.payloadType == offered.rtpMaps.first?.payloadType)
        for item in answered.headerExtensions { #expect(offered.headerExtensions.contains(item)) }
    }

    @Test(arguments: Fixture.offers)
    func everyRealOfferTellsTransportAndMedia(name: String) throws {
        let offer = try SessionDescription(parsing: Fixture.text(name))
        let (side, _) = try answering(offer.text)
        let transport = try #require(side.transports.first)
        #expect(side.transports.count == 1 && side.media.count == 1)
        #expect(transport.remote == offer.credentials(for: offer.sections[0]))
        #expect(!transport.fingerprints.isEmpty && !transport.isControlling && !transport.isDTLSClient)
        let media = try #require(side.media.first)
        #expect(media.sending.codec == .opus && media.receiving.contains(media.sending))
        #expect(media.audioLevelExtension != nil || name.hasPrefix("gstreamer"))
        let usable = offer.sections[0].candidates.filter { $0.transport == .udp && $0.component == 1 }
        #expect(side.candidates == usable)
    }

    @Test func payloadTypesAndIdentifiersAreTheOffers() throws {
        let media = try #require(answering(Fixture.text("firefox-offer")).0.media.first)
        #expect(media.sending == .init(codec: .opus, payloadType: PayloadType(109)))
        #expect(media.receiving.map(\.payloadType.rawValue) == [109, 0, 8])
        #expect(media.audioLevelExtension == 1 && media.midExtension == 3)
        #expect(media.opus.isStereo && media.opus.usesInbandFEC && media.opus.maximumPlaybackRateHz == 48_000)
        #expect(media.telephoneEvents == nil, "Firefox takes them at 8000 Hz only, and we send Opus")
        #expect(media.receivedTelephoneEvents == [PayloadType(101)])
        let chromium = try #require(answering(Fixture.text("chromium-audio-offer")).0.media.first)
        #expect(chromium.telephoneEvents == PayloadType(110) && chromium.isRTCPReducedSize)
        #expect(chromium.receivedTelephoneEvents.map(\.rawValue) == [110, 126])
    }

    @Test func theAnswerHasTheLinesThatBrowsersInsistOn() throws {
        let (side, answer) = try answering(Fixture.text("chromium-audio-offer"))
        let section = answer.sections[0]
        for name in ["rtcp-mux", "ice-ufrag", "ice-pwd", "fingerprint", "rtpmap", "setup", "mid"] {
            #expect(section.has(name), "\(name)")
        }
        #expect(section.values(of: "ice-options") == ["trickle"])
        #expect(section.formatParameters(of: PayloadType(111))?.text == "minptime=10;useinbandfec=1;usedtx=1;stereo=0")
        #expect(!section.has("ssrc") && !section.has("msid"))
        #expect(section.credentials(in: answer) == side.transports[0].local)
        #expect(answer.text.hasPrefix("v=0\r\no=- 2 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"))
    }

    @Test func withoutOpusG711IsTaken() throws {
        let (side, answer) = try answering(Fixture.small.replacing("opus/48000/2", with: "isac/16000"))
        #expect(answer.sections[0].formats == ["0"])
        #expect(side.media[0].sending == .init(codec: .pcmu, payloadType: PayloadType(0)))
    }

    @Test func thePreferredCodecComesFirst() throws {
        let (side, answer) = try answering(Fixture.small) { $0.codecs = [.pcmu, .opus] }
        #expect(answer.sections[0].formats == ["0", "96"] && side.media[0].sending.codec == .pcmu)
    }

    @Test func whatCannotBeUsedIsDeclinedWithoutHarm() throws {
        let offers = [
            Fixture.small.replacing("m=audio", with: "m=video"),
            Fixture.small.replacing("SAVPF 96 0", with: "SAVPF 96").replacing("opus", with: "speex"),
            Fixture.small.replacing("UDP/TLS/RTP/SAVPF", with: "RTP/AVP"),
            Fixture.small.replacing("a=rtcp-mux\r\n", with: ""),
            Fixture.small.replacing("audio 9", with: "audio 0"),
        ]
        for offer in offers {
            let (side, answer) = try answering(offer)
            #expect(answer.sections.map(\.port) == [0] && side.isStopped && side.transports.isEmpty)
            #expect(side.negotiation.phase == .stable && side.negotiation.media == nil && answer.groups.isEmpty)
        }
    }

    @Test(arguments: [
        ("a=ice-ufrag:abcd\r\n", "", NegotiationError.missingCredentials),
        ("a=ice-pwd:abcdefghijklmnopqrstuv", "a=ice-pwd:short", .missingCredentials),
        ("a=fingerprint", "a=x-fingerprint", .missingFingerprint),
        ("actpass", "holdconn", .invalidSetup(.holdconn)),
        ("v=0", "v=1", .malformed(.missingVersion)),
    ])
    func whatIsNoOfferIsRefusedAndChangesNothing(part: String, replacement: String, error: NegotiationError) {
        var side = Side(isPolite: true)
        side.receive(.offer, Fixture.small.replacing(part, with: replacement))
        #expect(side.refusals == [error] && side.outbox.isEmpty && side.negotiation.phase == .stable)
        #expect(side.negotiation.counters.refusedDescriptions == 1)
        side.receive(.offer, Fixture.small)
        #expect(side.outbox.count == 1 && side.media.count == 1)
    }

    @Test(arguments: [("actpass", false), ("active", false), ("passive", true)])
    func theSetupOfAnOfferDecidesTheRole(setup: String, isClient: Bool) throws {
        let (side, answer) = try answering(Fixture.small.replacing("actpass", with: setup))
        #expect(side.transports[0].isDTLSClient == isClient)
        #expect(answer.sections[0].setup == (isClient ? .active : .passive))
    }

    @Test func anOfferWithoutSetupIsActive() throws {
        let (side, answer) = try answering(Fixture.small.replacing("a=setup:actpass\r\n", with: ""))
        #expect(!side.transports[0].isDTLSClient && answer.sections[0].setup == .passive)
    }

    @Test func actpassCanBeAnsweredWithActive() throws {
        let (side, _) = try answering(Fixture.small) { $0.answersAsDTLSClient = true }
        #expect(side.transports[0].isDTLSClient)
    }

    @Test func aLitePeerIsControlledByUs() throws {
        let (side, _) = try answering(Fixture.small.replacing("t=0 0\r\n", with: "t=0 0\r\na=ice-lite\r\n"))
        #expect(side.transports[0].isControlling && side.transports[0].isRemoteLite)
    }

    @Test func anOfferWithoutMidOrBundleIsAnsweredWithout() throws {
        let offer = Fixture.small.replacing("a=mid:a\r\n", with: "").replacing("a=group:BUNDLE a\r\n", with: "")
        let (side, answer) = try answering(offer)
        #expect(answer.groups.isEmpty && answer.sections[0].mid == nil && side.media.count == 1)
    }

    @Test func audioOnTheTransportOfVideoKeepsVideoInactive() throws {
        let video = """
            m=video 9 UDP/TLS/RTP/SAVPF 97\r
            c=IN IP4 0.0.0.0\r
            a=mid:v\r
            a=sendrecv\r
            a=rtcp-mux\r
            a=ice-ufrag:wxyz\r
            a=ice-pwd:abcdefghijklmnopqrstuv\r
            a=setup:actpass\r
            a=rtpmap:97 VP8/90000\r
            a=candidate:1 1 udp 1 192.0.2.1 1 typ host\r

            """
        let pairs = Array(repeating: "0A", count: 32).joined(separator: ":")
        let offer = Fixture.small
            .replacing("t=0 0\r\n", with: "t=0 0\r\na=fingerprint:sha-256 \(pairs)\r\n")
            .replacing("BUNDLE a", with: "BUNDLE v a")
            .replacing("m=audio 9", with: video + "m=audio 0")
            .replacing("a=ice-ufrag:abcd", with: "a=bundle-only")
        let (side, answer) = try answering(offer)
        #expect(answer.sections.map(\.port) == [9, 9] && answer.sections[0].direction(in: answer) == .inactive)
        #expect(answer.groups == [MediaGroup("BUNDLE v a")])
        #expect(side.transports[0].remote.ufrag == "wxyz" && side.candidates.count == 1)
    }

    @Test func thePeersPacketTimesAreTold() throws {
        let media = try answering(Fixture.small + "a=ptime:40\r\na=maxptime:120\r\n").0.media[0]
        #expect(media.packetTime == .milliseconds(40) && media.maximumPacketTime == .milliseconds(120))
        let silent = try answering(Fixture.small).0.media[0]
        #expect(silent.packetTime == nil && silent.maximumPacketTime == nil)
    }

    @Test func onlyAWishedPacketTimeIsSaid() throws {
        #expect(try !answering(Fixture.small).1.sections[0].has("ptime"))
        let (_, answer) = try answering(Fixture.small) { $0.packetTime = .milliseconds(40) }
        #expect(answer.sections[0].packetTime == .milliseconds(40))
    }

    @Test func anExtensionOutsideTheOneByteFormIsNotTaken() throws {
        for item in ["15 \(HeaderExtension.mid)", "2/sendonly \(HeaderExtension.mid)", "0 \(HeaderExtension.mid)"] {
            let (side, answer) = try answering(Fixture.small + "a=extmap:\(item)\r\n")
            #expect(side.media[0].midExtension == nil && answer.sections[0].headerExtensions.isEmpty)
        }
    }

    @Test func anOfferMayWaitForItsAnswer() throws {
        var side = Side(isPolite: true) { $0.answersAtOnce = false }
        side.receive(.offer, Fixture.small)
        #expect(side.isOfferWaiting && side.outbox.isEmpty && side.negotiation.phase == .haveRemoteOffer)
        side.receive(.candidate(.init(text: "candidate:1 1 udp 1 192.0.2.1 1 typ host", mid: MID("a"), ufrag: "abcd")))
        #expect(side.candidates.isEmpty, "it waits too")
        side.run { $0.setDirection(.recvonly) }
        side.run { $0.answer() }
        #expect(side.negotiation.phase == .stable && side.media[0].direction == .recvonly && side.candidates.count == 1)
        #expect(side.outbox.count == 1, "the wish was in the answer")
        side.run { $0.answer() }
        #expect(side.outbox.count == 1)
    }
}

extension MediaSection {
    func direction(in description: SessionDescription) -> MediaDirection {
        description.direction(of: self)
    }

    func credentials(in description: SessionDescription) -> ICEParameters? {
        description.credentials(for: self)
    }
}
