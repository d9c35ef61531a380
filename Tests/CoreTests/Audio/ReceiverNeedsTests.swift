import Foundation
import MediaEngine
import Primitives
import SDP
import Testing

@testable import Core

/// What the peers' descriptions ask of the sound that they are sent.
@Suite struct ReceiverNeedsTests {
    /// What is agreed on with a peer that offers this.
    private func agreed(_ offer: String) throws -> AudioParameters {
        let digest = Array(repeating: "0A", count: 32).joined(separator: ":")
        let configuration = NegotiationConfiguration(
            isPolite: true, fingerprint: try #require(Fingerprint(algorithm: "sha-256", value: digest)),
            sessionID: "1", makeCredentials: { Self.credentials })
        var negotiation = Negotiation(configuration, credentials: Self.credentials)
        _ = negotiation.receive(SignaledDescription(kind: .offer, text: offer))
        return try #require(negotiation.media)
    }

    private static var credentials: ICEParameters {
        var random = SystemRandomNumberGenerator()
        return ICEParameters(using: &random)
    }

    /// A peer that offers Opus with these parameters, and these lines.
    private func peer(_ parameters: String = "usedtx=1", _ lines: String...) throws -> AudioParameters {
        let text = try fixture("chromium-audio-offer")
            .replacing("a=fmtp:111 minptime=10;useinbandfec=1", with: "a=fmtp:111 \(parameters)")
        return try agreed(text + lines.map { "a=\($0)\r\n" }.joined())
    }

    private func fixture(_ name: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let data = try Data(contentsOf: tests.appending(path: "SDPTests/Fixtures/\(name).sdp").standardizedFileURL)
        return String(decoding: data, as: UTF8.self)
    }

    private func packetTime(_ peers: [AudioParameters], own: Int = 20) -> Int {
        var settings = AudioPath.SendSettings()
        settings.frameDuration = .milliseconds(own)
        return Int(ReceiverNeeds(peers).applied(to: settings).frameDuration.milliseconds)
    }

    private func encoder(_ peers: AudioParameters...) -> AudioEncoderSettings {
        ReceiverNeeds(peers).applied(to: AudioPath.SendSettings()).encoder
    }

    @Test func thePacketTimeThatOnePeerWishesIsFollowedAsFarAsItCanBeMade() throws {
        for (line, made) in [("ptime:40", 40), ("ptime:120", 60), ("ptime:5", 10), ("ptime:30", 20), ("x", 20)] {
            #expect(packetTime([try peer("usedtx=1", line)]) == made, "\(line)")
        }
    }

    @Test func theLimitOfAPacketTimeIsKept() throws {
        #expect(packetTime([try peer("usedtx=1", "maxptime:10")]) == 10)
        #expect(packetTime([try peer("usedtx=1", "maxptime:50")], own: 60) == 40)
        #expect(packetTime([try peer("usedtx=1", "ptime:60", "maxptime:20")]) == 20)
        #expect(packetTime([try peer("minptime=40"), try peer("usedtx=1", "maxptime:20")], own: 10) == 20)
    }

    @Test func ofSeveralWishesTheShortestPacketIsMade() throws {
        let (long, short, open) = try (peer("usedtx=1", "ptime:60"), peer("usedtx=1", "ptime:10"), peer())
        #expect(packetTime([long]) == 60)
        #expect(packetTime([long, open]) == 20, "who says nothing gets no longer ones than usual")
        #expect(packetTime([long, short, open]) == 10)
        #expect(packetTime([try peer("minptime=20")], own: 10) == 20)
        #expect(packetTime([], own: 40) == 40)
    }

    @Test func silenceIsLeftOutOnlyWhereEverybodyAsksForThat() throws {
        #expect(try encoder().usesDTX && encoder(peer("usedtx=1")).usesDTX)
        #expect(try !encoder(peer("usedtx=1"), peer("useinbandfec=1")).usesDTX)
        #expect(try !encoder(peer("usedtx=0")).usesDTX)
    }

    @Test func theLowestLimitOfTheBitrateHolds() throws {
        let settings = try encoder(peer("maxaveragebitrate=24000"), peer("maxaveragebitrate=16000"), peer())
        #expect(settings.bitrateWithRedundancy == 16_000)
        #expect(try encoder(peer()).bitrateWithRedundancy == 32_000)
    }

    @Test func redundancyStaysWithinTheLimitOfTheBitrate() throws {
        var needs = ReceiverNeeds([try peer("maxaveragebitrate=34000")])
        needs.expectedLossPercent = 10
        #expect(needs.applied(to: AudioPath.SendSettings()).encoder.bitrateWithRedundancy == 34_000)
    }

    @Test func whoIsSentCopiesCostsNobodyElseAnything() throws {
        var needs = ReceiverNeeds([try peer(), try peer()])
        (needs.copies, needs.expectedLossPercent) = (2, 3)
        let all = needs.applied(to: AudioPath.SendSettings())
        #expect(all.encoder.bitrate == RedundancyPolicy.bitrate(copies: 2) && all.repeated == nil)
        needs.sparesSome = true
        let some = needs.applied(to: AudioPath.SendSettings())
        #expect(some.encoder.bitrate == AudioEncoderSettings().bitrate && some.encoder.expectedLossPercent == 3)
        let repeated = try #require(some.repeated)
        #expect(repeated.bitrate == RedundancyPolicy.bitrate(copies: 2) && repeated.expectedLossPercent == 0)
    }

    /// Both encoders give a packet for each 20 ms, the second one late at first.
    @Test func aChangeOfTheEncodingNeitherLeavesOutNorRepeatsSound() {
        var choice = EncodingChoice()
        var taken: [(position: Int64, isForCopies: Bool)] = []
        for frame in 0..<100 {
            choice.wantsForCopies = (20..<60).contains(frame)
            for isForCopies in [false, true] where !isForCopies || (23..<60).contains(frame) {
                let sent = SentAudio(
                    timestamp: UInt32(frame * 960), sampleCount: 960, marker: false, level: .silence, hasVoice: false,
                    captureTime: .zero)
                let audio = AudioPath.EncodedAudio(
                    codec: .opus, isForCopies: isForCopies, sent: sent, position: Int64(frame * 960))
                if choice.takes(audio) { taken.append((audio.position, isForCopies)) }
            }
        }
        #expect(taken.map(\.position) == (0..<100).map { Int64($0 * 960) })
        #expect(taken.map(\.isForCopies) == (0..<100).map { (24..<60).contains($0) })
    }

    @Test func trebleIsLeftOutOnlyWhereNobodyWouldHearIt() throws {
        #expect(try encoder(peer("maxplaybackrate=8000"), peer("maxplaybackrate=16000")).playbackRateHz == 16_000)
        #expect(try encoder(peer("maxplaybackrate=8000"), peer()).playbackRateHz == 48_000)
    }

    @Test func oneWhoAsksForEvenPacketsGetsThem() throws {
        #expect(try encoder(peer("cbr=1"), peer()).isConstantBitrate)
        #expect(try !encoder(peer("cbr=0"), peer()).isConstantBitrate)
    }

    @Test func realBrowsersChangeNothingButTheSilence() throws {
        for name in ["chromium-audio-offer", "firefox-offer", "gstreamer-offer"] {
            var usual = AudioPath.SendSettings()
            usual.encoder.usesDTX = false
            #expect(
                ReceiverNeeds([try agreed(fixture(name))]).applied(to: AudioPath.SendSettings()) == usual, "\(name)")
        }
    }

    @Test func whoIsSentG711AsksNothingOfOpus() throws {
        let offer = try fixture("chromium-audio-offer").replacing("opus/48000/2", with: "isac/48000/2")
        let settings = encoder(try agreed(offer.replacing("useinbandfec=1", with: "cbr=1")))
        #expect(!settings.isConstantBitrate && settings.usesDTX)
    }
}
