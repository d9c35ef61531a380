import Primitives
import Testing

@testable import SDP

/// Our offers and what is made of their answers.
@Suite struct OfferingTests {
    /// A side that has offered, and an answer to it made from `Fixture.small`.
    private func offered() throws -> (Side, String) {
        var side = Side(isPolite: false)
        side.run { $0.start() }
        let offer = try #require(side.lastDescription)
        let answer = Fixture.small
            .replacing("BUNDLE a", with: "BUNDLE 0").replacing("mid:a", with: "mid:0")
            .replacing("96", with: "111").replacing("actpass", with: "active")
        #expect(offer.sections.count == 1)
        return (side, answer)
    }

    @Test func theFirstOfferHasWhatBrowsersInsistOn() throws {
        let (side, _) = try offered()
        let offer = try #require(side.lastDescription)
        let section = offer.sections[0]
        #expect(section.kind == .audio && section.profile == "UDP/TLS/RTP/SAVPF" && section.port == 9)
        #expect(section.formats == ["63", "111", "0", "8", "110", "126"])
        #expect(section.mid == MID("0") && offer.groups == [MediaGroup("BUNDLE 0")])
        #expect(section.setup == .actpass && section.isRTCPMuxed && section.isRTCPReducedSize)
        #expect(section.statedDirection == .sendrecv && section.fingerprints.count == 1)
        #expect(section.headerExtensions == AudioPlan.offeredExtensions)
        #expect(!section.has("ssrc") && !section.has("msid") && !section.hasEndOfCandidates)
        #expect(side.negotiation.phase == .haveLocalOffer && side.transports.isEmpty)
    }

    @Test func startingTwiceOffersOnce() throws {
        var (side, answer) = try offered()
        side.run { $0.start() }
        side.receive(.answer, answer)
        side.run { $0.start() }
        #expect(side.outbox.count == 1 && side.negotiation.phase == .stable)
    }

    @Test func anAnswerTellsTransportAndMedia() throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer)
        let transport = try #require(side.transports.first)
        #expect(transport.isControlling && !transport.isDTLSClient && transport.remote.ufrag == "abcd")
        let media = try #require(side.media.first)
        #expect(media.sending == .init(codec: .opus, payloadType: PayloadType(111)))
        #expect(media.receiving.map(\.codec) == [.opus, .pcmu] && media.telephoneEvents == nil)
        #expect(media.audioLevelExtension == nil && media.midExtension == nil && !media.isRTCPReducedSize)
    }

    @Test func aPeerThatAnswersWithAnotherNumberIsSentThatNumber() throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer.replacing("111", with: "100"))
        #expect(side.media[0].sending.payloadType == PayloadType(100))
        #expect(side.media[0].receiving.first?.payloadType == PayloadType(111), "we listen where we said")
    }

    @Test func theFirstCodecOfTheAnswerIsSent() throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer.replacing("SAVPF 111 0", with: "SAVPF 0 111"))
        #expect(side.media[0].sending.codec == .pcmu)
    }

    @Test(arguments: [
        ("a=setup:active", "a=setup:actpass", NegotiationError.invalidSetup(.actpass)),
        ("a=setup:active", "a=setup:holdconn", .invalidSetup(.holdconn)),
        ("a=mid:0", "a=mid:1", .midChanged(offered: "0", answered: "1")),
        ("m=audio", "m=audio 9 UDP/TLS/RTP/SAVPF 0\r\nm=audio", .sectionsChanged(offered: 1, answered: 2)),
        ("SAVPF 111 0", "SAVPF 9", .noCommonCodec),
        ("m=audio", "m=video", .noCommonCodec),
        ("a=rtcp-mux\r\n", "", .missingRTCPMux),
        ("a=fingerprint", "a=x", .missingFingerprint),
        ("a=ice-pwd", "a=x", .missingCredentials),
    ])
    func aWrongAnswerIsRefusedAndTheRightOneStillTaken(
        part: String, replacement: String, error: NegotiationError
    ) throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer.replacing(part, with: replacement))
        #expect(side.refusals == [error] && side.transports.isEmpty && side.negotiation.phase == .haveLocalOffer)
        #expect(error.description.contains("; "), "it says what to do")
        side.receive(.answer, answer)
        #expect(side.negotiation.phase == .stable && side.media.count == 1)
    }

    @Test func anAnswerWithoutSetupMakesUsTheServer() throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer.replacing("a=setup:active\r\n", with: ""))
        #expect(side.transports[0].isDTLSClient == false)
    }

    @Test func aDeclinedOfferStopsMediaAndCanBeMadeAgain() throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer.replacing("audio 9", with: "audio 0"))
        #expect(side.isStopped && side.negotiation.phase == .stable && side.negotiation.media == nil)
        side.run { $0.setDirection(.sendonly) }
        #expect(side.outbox.count == 1, "nobody asks again by itself")
        side.receive(.offer, Fixture.small)
        #expect(side.media.count == 1 && !side.isStopped)
    }

    @Test func anAnswerThatNobodyWaitsForIsCounted() throws {
        var (side, answer) = try offered()
        side.receive(.answer, answer)
        side.receive(.answer, answer)
        #expect(side.negotiation.counters.staleAnswers == 1 && side.media.count == 1 && side.refusals.isEmpty)
    }

    @Test func candidatesGoWithTheDescriptionAndAfterIt() throws {
        var side = Side(isPolite: false)
        let candidates = try CandidateAttributeTests.lines.map { try CandidateAttribute(parsing: $0) }
        side.run { $0.gathered(candidates[0]) }
        #expect(side.outbox.isEmpty)
        side.run { $0.start() }
        let section = try #require(side.lastDescription?.sections.first)
        #expect(section.candidates == [candidates[0]] && !section.hasEndOfCandidates)
        side.run { $0.gathered(candidates[2]) }
        side.run { $0.gatheringDone() }
        side.run { $0.gatheringDone() }
        let ufrag = try #require(section.value(of: "ice-ufrag")).description
        #expect(
            side.outbox.dropFirst() == [
                .candidate(SignaledCandidate(text: candidates[2].text, mid: MID("0"), ufrag: ufrag)),
                .candidate(SignaledCandidate(text: "", mid: MID("0"), ufrag: ufrag)),
            ])
        side.run { $0.signalingRestored() }
        #expect(side.outbox.last == side.outbox.first)
    }

    @Test func candidatesOfThePeerWaitForItsDescription() throws {
        var (side, answer) = try offered()
        let lines = CandidateAttributeTests.lines
        for line in [lines[0], lines[1], lines[4], lines[6], lines[0]] {
            side.receive(.candidate(SignaledCandidate(text: line, mid: MID("0"), ufrag: "abcd")))
        }
        side.receive(.candidate(SignaledCandidate(text: lines[3], mid: MID("0"), ufrag: "other")))
        side.receive(.candidate(SignaledCandidate(text: lines[3], mid: MID("1"), ufrag: "abcd")))
        side.receive(.candidate(SignaledCandidate(text: "", mid: nil, ufrag: nil)))
        side.receive(.candidate(SignaledCandidate(text: "nonsense", mid: nil, ufrag: nil)))
        #expect(side.candidates.isEmpty && !side.isEnded)
        side.receive(.answer, answer)
        #expect(side.candidates.map(\.text) == [lines[0], lines[6]], "UDP, component 1, once each")
        #expect(side.isEnded)
        #expect(side.negotiation.counters.ignoredCandidates == 5 && side.negotiation.counters.malformedCandidates == 1)
    }

    @Test func aFloodOfCandidatesIsBounded() throws {
        var (side, answer) = try offered()
        for number in 1...1000 {
            let text = "candidate:\(number) 1 udp 1 192.0.2.1 \(number) typ host"
            side.receive(.candidate(SignaledCandidate(text: text, mid: nil, ufrag: nil)))
        }
        side.receive(.answer, answer)
        for number in 1001...2000 {
            let text = "candidate:\(number) 1 udp 1 192.0.2.1 \(number) typ host"
            side.receive(.candidate(SignaledCandidate(text: text, mid: nil, ufrag: nil)))
        }
        #expect(side.candidates.count == 200 && side.negotiation.counters.ignoredCandidates == 1800)
    }

    @Test func anotherOfferKeepsThePlacesOfDeclinedSections() throws {
        var side = Side(isPolite: true)
        side.receive(.offer, try Fixture.text("chromium-audio-video-offer"))
        let answer = try #require(side.lastDescription)
        side.run { $0.setDirection(.inactive) }
        let offer = try #require(side.lastDescription)
        #expect(offer.sections.map(\.kind) == answer.sections.map(\.kind))
        #expect(offer.sections.map(\.mid) == answer.sections.map(\.mid))
        #expect(offer.sections.map { $0.port == 0 } == answer.sections.map { $0.port == 0 })
        #expect(offer.sections[0].formats == answer.sections[0].formats)
        #expect(offer.sections[0].headerExtensions == answer.sections[0].headerExtensions)
        #expect(offer.sections[0].setup == .actpass && offer.origin.version == 2)
        #expect(offer.sections[0].credentials(in: offer) == answer.sections[0].credentials(in: answer))
    }

    @Test func anythingMayComeInAnyStateWithoutATrap() throws {
        var generator = SplitMix64(seed: 77)
        let texts = try Fixture.all.map(Fixture.text) + [Fixture.small]
        var agreedCount = 0
        for seed in 0..<200 {
            var side = Side(isPolite: seed % 2 == 0, seed: UInt64(seed))
            for _ in 0..<10 {
                let text = [UInt8](texts.randomElement(using: &generator)?.utf8 ?? "".utf8)
                let bytes = Bool.random(using: &generator) ? text : mutated(text, using: &generator)
                let kind: SignaledDescription.Kind = Bool.random(using: &generator) ? .offer : .answer
                side.receive(kind, String(decoding: bytes, as: UTF8.self))
                let direction = MediaDirection.allCases.randomElement(using: &generator) ?? .inactive
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: side.run { $0.start() }
                case 1: side.run { $0.restartICE() }
                case 2: side.run { $0.setDirection(direction) }
                case 3: side.run { $0.signalingRestored() }
                default: break
                }
            }
            agreedCount += side.media.count
        }
        #expect(agreedCount > 200)
    }
}
