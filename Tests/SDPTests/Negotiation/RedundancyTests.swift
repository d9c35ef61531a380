import Primitives
import Testing

@testable import SDP

/// Opus with copies of earlier packets (RFC 2198), and the feedback that tells why packets are lost.
@Suite struct RedundancyTests {
    private func answering(
        _ offer: String, configure: (inout NegotiationConfiguration) -> Void = { _ in }
    ) throws -> (media: AudioParameters, answer: MediaSection) {
        var side = Side(isPolite: true, configure: configure)
        side.receive(.offer, offer)
        return (try #require(side.media.first), try #require(side.lastDescription?.sections.first))
    }

    private func small(_ lines: String..., formats: String = "96 0 64") -> String {
        Fixture.small.replacing("SAVPF 96 0", with: "SAVPF \(formats)") + lines.map { "a=\($0)\r\n" }.joined()
    }

    /// Chromium sends what stands first.
    @Test func theAnswerToABrowserNamesItBeforeOpus() throws {
        let (media, answer) = try answering(Fixture.text("chromium-audio-offer"))
        #expect(answer.formats.prefix(2) == ["63", "111"])
        #expect(answer.formatParameters(of: PayloadType(63))?.text == "111/111")
        #expect(media.redundancy == PayloadType(63) && media.receivedRedundancy == PayloadType(63))
        #expect(media.sending == .init(codec: .opus, payloadType: PayloadType(111)))
        #expect(!media.receiving.contains { $0.payloadType == PayloadType(63) })
    }

    @Test func twoOfUsAgreeOnIt() throws {
        var pair = Pair()
        pair.impolite.run { $0.start() }
        while pair.deliver(fromPolite: false) || pair.deliver(fromPolite: true) {}
        for side in [pair.polite, pair.impolite] {
            let media = try #require(side.media.last)
            #expect(media.redundancy == PayloadType(63) && media.receivedRedundancy == PayloadType(63))
            #expect(media.transportSequenceExtension == 3)
        }
    }

    @Test func thePeersNumberIsUsedWhereItAnswersWithAnother() throws {
        var side = Side(isPolite: false)
        side.run { $0.start() }
        let answer = small("rtpmap:64 red/48000/2", "fmtp:64 111/111", formats: "111 0 64")
            .replacing("BUNDLE a", with: "BUNDLE 0").replacing("mid:a", with: "mid:0")
            .replacing(":96", with: ":111").replacing("actpass", with: "active")
        side.receive(.answer, answer)
        let media = try #require(side.media.first)
        #expect(media.redundancy == PayloadType(64) && media.receivedRedundancy == PayloadType(63))
    }

    @Test(arguments: [
        ["rtpmap:64 red/48000/2"], ["rtpmap:64 red/48000/2", "fmtp:64 0/0"], ["rtpmap:64 red/8000", "fmtp:64 96/96"],
        ["x"],
    ]) func withoutRedundancyOfOpusThereIsNone(lines: [String]) throws {
        let (media, answer) = try answering(small(lines.joined(separator: "\r\na=")))
        #expect(media.redundancy == nil && media.receivedRedundancy == nil && answer.formats == ["96", "0"])
    }

    @Test func whoSendsNoOpusRepeatsNothing() throws {
        let offer = small("rtpmap:64 red/48000/2", "fmtp:64 96/96")
        let (media, _) = try answering(offer) { $0.codecs = [.pcmu, .opus] }
        #expect(media.sending.codec == .pcmu && media.redundancy == nil && media.receivedRedundancy == PayloadType(64))
    }

    @Test func feedbackNeedsTheNumberAndTheNumberFeedback() throws {
        let number = "extmap:5 \(HeaderExtension.transportSequence)"
        let (both, answer) = try answering(small(number, "rtcp-fb:96 transport-cc"))
        #expect(both.transportSequenceExtension == 5)
        #expect(answer.feedback == ["96", "0"].map { .init(payloadType: PayloadType(text: $0), kind: "transport-cc") })
        for line in [number, "rtcp-fb:96 transport-cc", "rtcp-fb:64 transport-cc"] {
            let (one, answer) = try answering(small(line))
            #expect(one.transportSequenceExtension == nil && answer.feedback.isEmpty, "\(line)")
            #expect(answer.headerExtensions.isEmpty)
        }
        #expect(try answering(small(number, "rtcp-fb:* transport-cc")).media.transportSequenceExtension == 5)
    }

    @Test func browsersAgreeOnFeedback() throws {
        #expect(try answering(Fixture.text("chromium-audio-offer")).media.transportSequenceExtension == 3)
        #expect(try answering(Fixture.text("firefox-offer")).media.transportSequenceExtension == 7)
        #expect(try answering(Fixture.text("firefox-offer")).media.redundancy == nil)
    }
}
