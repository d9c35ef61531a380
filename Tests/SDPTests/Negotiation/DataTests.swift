import Primitives
import Testing

@testable import SDP

/// Data channels in offers and answers (RFC 8841).
@Suite struct DataTests {
    private static let local = NegotiationConfiguration.LocalData(sctpPort: 5000, maximumMessageSize: 262_144)

    private static func withData(_ configuration: inout NegotiationConfiguration) {
        configuration.data = local
    }

    /// What a browser adds for data channels.
    private static func section(_ mid: String = "d", port: Int = 9) -> String {
        """
        m=application \(port) UDP/DTLS/SCTP webrtc-datachannel\r
        c=IN IP4 0.0.0.0\r
        a=mid:\(mid)\r
        a=ice-ufrag:abcd\r
        a=ice-pwd:abcdefghijklmnopqrstuv\r
        a=setup:actpass\r
        a=sctp-port:5001\r
        a=max-message-size:100000\r

        """
    }

    private static let offer = Fixture.small.replacing("BUNDLE a", with: "BUNDLE a d") + section()

    private func answering(_ offer: String) throws -> (Side, SessionDescription) {
        var side = Side(isPolite: true, configure: Self.withData)
        side.receive(.offer, offer)
        return (side, try #require(side.lastDescription))
    }

    private func offered() throws -> (Side, SessionDescription) {
        var side = Side(isPolite: false, configure: Self.withData)
        side.run { $0.start() }
        return (side, try #require(side.lastDescription))
    }

    @Test func theFirstOfferHasTheSectionInTheBundleOfAudio() throws {
        let (_, offer) = try offered()
        let data = try #require(offer.sections.last)
        #expect(offer.sections.count == 2 && data.isDataChannel && data.port == 9)
        #expect(data.sctpPort == 5000 && data.maximumMessageSize == 262_144)
        #expect(offer.groups == [MediaGroup("BUNDLE 0 1")])
        #expect(data.setup == .actpass && data.fingerprints == offer.sections[0].fingerprints)
        #expect(offer.credentials(for: data) == offer.credentials(for: offer.sections[0]))
    }

    @Test func anOfferedSectionIsAnsweredOnTheTransportOfAudio() throws {
        let (side, answer) = try answering(Self.offer)
        let data = answer.sections[1]
        #expect(data.isDataChannel && data.port == 9 && data.mid == MID("d") && data.sctpPort == 5000)
        #expect(answer.groups == [MediaGroup("BUNDLE a d")])
        #expect(data.setup == answer.sections[0].setup)
        let told = try #require(side.data.last ?? nil)
        #expect(told.remotePort == 5001 && told.remoteMessageLimit == 100_000)
        #expect(side.transports.count == 1)
    }

    @Test(arguments: Fixture.offers)
    func everyRealOfferOfDataIsTaken(name: String) throws {
        let offer = try SessionDescription(parsing: Fixture.text(name))
        let index = offer.sections.firstIndex(where: \.isDataChannel)
        let (side, answer) = try answering(offer.text)
        #expect(side.refusals.isEmpty)
        #expect(answer.sections.map(\.kind) == offer.sections.map(\.kind))
        guard let index else {
            #expect(side.data.isEmpty)
            return
        }
        #expect(answer.sections[index].port == 9 && answer.sections[index].profile == offer.sections[index].profile)
        #expect(side.data.compactMap(\.self).map(\.remotePort) == [5000])
    }

    @Test func aPeerThatOffersNoneGetsNone() throws {
        var (side, answer) = try answering(Fixture.small)
        #expect(answer.sections.count == 1 && side.data.isEmpty)
        side.run { $0.setDirection(.inactive) }
        #expect(side.lastDescription?.sections.count == 1, "nor later")
    }

    @Test func withoutDataOfOurOwnTheSectionIsDeclined() throws {
        var side = Side(isPolite: true)
        side.receive(.offer, Self.offer)
        #expect(side.lastDescription?.sections.map(\.port) == [9, 0])
        #expect(side.data.isEmpty && side.media.count == 1)
    }

    @Test(arguments: [
        ("BUNDLE a d", "BUNDLE a"), ("m=application 9", "m=application 0"), ("a=sctp-port:5001\r\n", ""),
        ("a=sctp-port:5001", "a=sctp-port:0"), ("a=sctp-port:5001", "a=sctp-port:70000"), ("a=mid:d\r\n", ""),
        ("UDP/DTLS/SCTP webrtc-datachannel", "DTLS/SCTP 5000"), ("webrtc-datachannel", "something"),
    ])
    func whatCannotBeUsedIsDeclinedAndAudioGoesOn(part: String, replacement: String) throws {
        let (side, answer) = try answering(Self.offer.replacing(part, with: replacement))
        #expect(answer.sections.map(\.port) == [9, 0])
        #expect(side.data.isEmpty && side.media.count == 1 && side.refusals.isEmpty)
    }

    @Test func dataInTheFormOfDraftsAreAnsweredInThatForm() throws {
        let offer = Self.offer.replacing("UDP/DTLS/SCTP webrtc-datachannel", with: "DTLS/SCTP 5001")
            .replacing("a=sctp-port:5001", with: "a=sctpmap:5001 webrtc-datachannel 65535")
        let (side, answer) = try answering(offer)
        #expect(answer.sections[1].profile == "DTLS/SCTP" && answer.sections[1].formats == ["5000"])
        #expect(answer.sections[1].sctpPort == 5000 && side.negotiation.data?.remotePort == 5001)
    }

    /// aiortc asks for it.
    @Test func aDeclinedSectionNamesCredentialsAndRole() throws {
        let (_, answer) = try answering(Self.offer.replacing("webrtc-datachannel", with: "something"))
        let declined = try #require(answer.sections.last)
        #expect(declined.isRejected && answer.credentials(for: declined) == answer.credentials(for: answer.sections[0]))
        #expect(declined.setup == answer.sections[0].setup)
    }

    @Test func theSizeThatIsNotStatedIsTheDefault() throws {
        for (line, limit) in [("", 65_536), ("a=max-message-size:0\r\n", .max), ("a=max-message-size:x\r\n", 65_536)] {
            let (side, _) = try answering(Self.offer.replacing("a=max-message-size:100000\r\n", with: line))
            #expect((side.data.last ?? nil)?.remoteMessageLimit == limit)
        }
    }

    @Test func dataInFrontOfAudioCarriesTheTransport() throws {
        let offer = Fixture.small
            .replacing("BUNDLE a", with: "BUNDLE d a")
            .replacing("m=audio 9", with: Self.section().replacing("abcd", with: "wxyz") + "m=audio 0")
            .replacing("a=ice-ufrag:abcd\r\n", with: "a=bundle-only\r\n")
            .replacing(
                "t=0 0\r\n",
                with: "t=0 0\r\na=fingerprint:sha-256 \(Array(repeating: "0A", count: 32).joined(separator: ":"))\r\n")
        let (side, answer) = try answering(offer)
        #expect(answer.sections.map(\.port) == [9, 9] && answer.sections[0].isDataChannel)
        #expect(answer.groups == [MediaGroup("BUNDLE d a")])
        #expect(side.transports[0].remote.ufrag == "wxyz" && side.data.count == 1)
    }

    @Test(arguments: [("m=application 9", "m=application 0"), ("BUNDLE 0 1", "BUNDLE 0"), ("a=mid:1", "a=mid:7")])
    func anAnswerMayDeclineDataAndTheirPlaceStays(part: String, replacement: String) throws {
        var (side, _) = try offered()
        var peer = Side(isPolite: true, configure: Self.withData)
        guard case .description(let offer)? = side.outbox.first else { return }
        peer.receive(.description(offer))
        let answer = try #require(peer.lastDescription).text
        side.receive(.answer, answer.replacing(part, with: replacement))
        #expect(side.refusals.isEmpty && side.media.count == 1 && side.data.isEmpty)
        side.run { $0.setDirection(.inactive) }
        let next = try #require(side.lastDescription)
        #expect(next.sections.map(\.port) == [9, 0] && next.sections[1].mid == MID("1"))
        #expect(next.groups == [MediaGroup("BUNDLE 0")])
    }

    @Test(arguments: 0..<16)
    func glareAgreesOnDataOnceAndRenegotiationKeepsThem(order: Int) throws {
        var pair = Pair(configure: Self.withData)
        pair.polite.run { $0.start() }
        pair.impolite.run { $0.start() }
        for bit in 0..<4 {
            let fromPolite = order >> bit & 1 == 1
            if !pair.deliver(fromPolite: fromPolite) { pair.deliver(fromPolite: !fromPolite) }
        }
        pair.drain()
        try pair.expectAgreement()
        pair.polite.run { $0.setDirection(.inactive) }
        pair.impolite.run { $0.restartICE() }
        pair.drain()
        for side in [pair.polite, pair.impolite] {
            #expect(side.data.count == 1 && side.negotiation.data?.remotePort == 5000)
            #expect(side.lastDescription?.sections.count == 2)
        }
    }

    @Test func aPeerMayEndDataAndBeginThemAgain() throws {
        var (side, _) = try answering(Self.offer)
        side.receive(.offer, Self.offer.replacing("m=application 9", with: "m=application 0"))
        #expect(side.data.count == 2 && side.data[1] == nil && side.negotiation.data == nil)
        #expect(side.lastDescription?.sections.map(\.port) == [9, 0])
        side.receive(.offer, Self.offer)
        #expect(side.data.count == 3 && side.data[2] != nil)
        side.receive(.offer, Self.offer.replacing("m=audio 9", with: "m=audio 0"))
        #expect(side.data.count == 4 && side.data[3] == nil && side.isStopped, "data without audio are declined")
    }

    @Test func anythingMayComeInAnyStateWithoutATrap() throws {
        var generator = SplitMix64(seed: 78)
        let texts = try Fixture.all.map(Fixture.text) + [Self.offer]
        var agreedCount = 0
        for seed in 0..<100 {
            var side = Side(isPolite: seed % 2 == 0, seed: UInt64(seed), configure: Self.withData)
            if seed % 3 == 0 { side.run { $0.start() } }
            for _ in 0..<10 {
                let text = [UInt8](texts.randomElement(using: &generator)?.utf8 ?? "".utf8)
                let bytes = Bool.random(using: &generator) ? text : mutated(text, using: &generator)
                let kind: SignaledDescription.Kind = Bool.random(using: &generator) ? .offer : .answer
                side.receive(kind, String(decoding: bytes, as: UTF8.self))
                #expect(side.negotiation.data == (side.data.last ?? nil))
            }
            agreedCount += side.data.compactMap(\.self).count
        }
        #expect(agreedCount > 50)
    }
}
