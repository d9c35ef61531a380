import Primitives
import Testing

@testable import SDP

@Suite struct AttributeTests {
    private func section(_ lines: String...) throws -> MediaSection {
        let head = "v=0\no=- 1 1 IN IP4 h\nm=audio 9 UDP/TLS/RTP/SAVPF 111 0 13 96\n"
        return try SessionDescription(parsing: head + lines.joined(separator: "\n")).sections[0]
    }

    @Test func chromiumsAudioSectionIsRead() throws {
        let description = try SessionDescription(parsing: Fixture.text("chromium-audio-offer"))
        let section = description.sections[0]
        #expect(section.kind == .audio && section.port == 42133 && section.mid == MID("0"))
        #expect(section.isRTCPMuxed && section.isRTCPReducedSize && !section.isBundleOnly && !section.isRejected)
        #expect(description.direction(of: section) == .sendrecv && description.setup(for: section) == .actpass)
        #expect(description.credentials(for: section)?.ufrag == "WTWD")
        #expect(description.fingerprints(for: section).first?.algorithm == "sha-256")
        #expect(description.iceOptions(for: section) == ["trickle"])
        #expect(section.rtpMaps.map(\.encoding).contains("opus") && section.rtpMaps.count == 8)
        #expect(section.rtpMaps[0].channelCount == 2 && section.rtpMaps[0].payloadType == PayloadType(111))
        #expect(section.formatParameters(of: PayloadType(111))?["minptime"] == "10")
        #expect(section.headerExtensions.first { $0.uri == HeaderExtension.audioLevel }?.identifier == 1)
        #expect(section.candidates.map(\.transport) == [.udp, .tcp])
        #expect(section.sources.first?.ssrc == SSRC(1_217_197_686) && section.sources.first?.name == "cname")
        #expect(section.streams.count == 1)
        #expect(description.groups == [MediaGroup("BUNDLE 0")])
    }

    @Test func firefoxSaysItsFingerprintForTheWholeSession() throws {
        let description = try SessionDescription(parsing: Fixture.text("firefox-offer"))
        let section = description.sections[0]
        #expect(section.fingerprints.isEmpty)
        #expect(description.fingerprints(for: section).count == 1)
        #expect(section.candidates.filter { $0.component == 2 }.count == 4)
        #expect(section.candidates.contains { $0.addressKind == .ipv6 })
        let playback = HeaderExtension(
            identifier: 6, direction: .recvonly, uri: "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay")
        #expect(description.sections[1].headerExtensions.contains(playback))
    }

    @Test func aBundleOnlySectionHasTheTransportOfItsBundle() throws {
        let text = """
            v=0
            o=- 1 1 IN IP4 h
            a=group:BUNDLE v a
            m=video 9 UDP/TLS/RTP/SAVPF 96
            a=mid:v
            a=ice-ufrag:abcd
            a=ice-pwd:abcdefghijklmnopqrstuv
            a=setup:passive
            m=audio 0 UDP/TLS/RTP/SAVPF 0
            a=mid:a
            a=bundle-only
            """
        let description = try SessionDescription(parsing: text)
        let audio = description.sections[1]
        #expect(!audio.isRejected && description.transportSection(for: audio).kind == .video)
        #expect(description.credentials(for: audio)?.ufrag == "abcd" && description.setup(for: audio) == .passive)
    }

    @Test func payloadTypesWithoutAMapHaveTheirFixedMeaning() throws {
        let maps = try section("a=rtpmap:111 OPUS/48000/2", "a=rtpmap:96 x/0", "a=rtpmap:200 y/8000").rtpMaps
        #expect(maps.map(\.encoding) == ["OPUS", "PCMU", "CN"])
        #expect(NegotiatedCodec(maps[0]) == .opus)
    }

    @Test(arguments: [
        "rtpmap:111 opus", "rtpmap:111 opus/48000/2/1", "rtpmap:x opus/48000/2", "rtpmap:111 opus/48000/0",
        "rtpmap:111 opus/-48000/2", "rtpmap:128 opus/48000/2", "rtpmap:", "rtpmap",
    ])
    func aMalformedMapIsAsGoodAsAbsent(line: String) throws {
        #expect(try !section("a=" + line).rtpMaps.contains { $0.payloadType == PayloadType(111) })
    }

    @Test func opusParametersAreReadAndWritten() throws {
        let line = "a=fmtp:111 MinPTime=20; useinbandfec=1;usedtx=1;stereo=0;maxaveragebitrate=32000;cbr=2;x"
        let parameters = try #require(try section(line).formatParameters(of: PayloadType(111)))
        let opus = OpusParameters(parameters)
        #expect(opus.usesInbandFEC && opus.usesDTX && !opus.isStereo && !opus.isConstantBitrate)
        #expect(opus.minimumPacketTime == .milliseconds(20) && opus.maximumAverageBitrate == 32000)
        #expect(OpusParameters(FormatParameters(opus.text)) == opus)
        let wild = OpusParameters(FormatParameters("minptime=255;maxaveragebitrate=99999999999;maxplaybackrate=1"))
        #expect(wild == OpusParameters())
    }

    @Test func directionsAndTheirSidesAgree() throws {
        for direction in MediaDirection.allCases {
            #expect(direction.reversed.reversed == direction)
            #expect(MediaDirection(sends: direction.sends, receives: direction.receives) == direction)
            #expect(direction.intersection(.inactive) == .inactive && direction.intersection(.sendrecv) == direction)
        }
        let head = "v=0\no=- 1 1 IN IP4 h\na=recvonly\nm=audio 9 P 0\nm=audio 9 P 0\na=inactive\n"
        let description = try SessionDescription(parsing: head)
        #expect(description.sections.map(description.direction) == [.recvonly, .inactive])
    }

    @Test func fingerprintsAreBroughtToOneForm() {
        let pairs = Array(repeating: "ab", count: 32).joined(separator: ":")
        let canonical = Fingerprint(algorithm: "sha-256", value: pairs.uppercased())
        #expect(Fingerprint(algorithm: "SHA-256", value: pairs) == canonical && canonical != nil)
        #expect(Fingerprint(algorithm: "sha-256", value: pairs + ":") == nil)
        #expect(Fingerprint(algorithm: "sha-256", value: pairs.replacing("a", with: "+")) == nil)
        #expect(Fingerprint(algorithm: "sha-256", value: "ab") == nil)
    }

    @Test func packetTimesAreRead() throws {
        let section = try section("a=ptime:40", "a=maxptime:60")
        #expect(section.packetTime == .milliseconds(40) && section.maximumPacketTime == .milliseconds(60))
        #expect(try self.section("a=ptime:0", "a=maxptime:-1").packetTime == nil)
    }

    @Test func iceParametersHaveTheLengthsOfTheStandard() {
        #expect(ICEParameters(ufrag: "abc", password: "abcdefghijklmnopqrstuv") == nil)
        #expect(ICEParameters(ufrag: "abcd", password: "abcdefghijklmnopqrstu") == nil)
        #expect(ICEParameters(ufrag: "ab d", password: "abcdefghijklmnopqrstuv") == nil)
        var generator = SplitMix64(seed: 1)
        let (first, second) = (ICEParameters(using: &generator), ICEParameters(using: &generator))
        #expect(first != second && ICEParameters(ufrag: first.ufrag, password: first.password) == first)
    }
}
