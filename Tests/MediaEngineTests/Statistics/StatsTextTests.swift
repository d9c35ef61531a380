import MediaEngine
import Primitives
import Testing

@Suite struct StatsTextTests {
    private var audio: StatsText {
        var stats = StatsText()
        stats.connection = .init(
            roundTrip: .milliseconds(565), localType: .host, remoteType: .host, transport: "udp",
            sentBitsPerSecond: 248_000, receivedBitsPerSecond: 869_000)
        stats.audioSent = .init(bitsPerSecond: 38_000, codec: "opus", packetsLost: 3)
        stats.audioReceived = .init(
            bitsPerSecond: 37_000, codec: "opus", delay: .milliseconds(168), expandRate: 0.190002, packetsLost: 0)
        return stats
    }

    private var full: StatsText {
        var stats = audio
        let large = StatsText.Picture(width: 640, height: 480, framesPerSecond: 30)
        stats.videoSent = .init(
            input: large, sent: large, encodedBitsPerSecond: 279_000, targetBitsPerSecond: 260_000,
            sentBitsPerSecond: 200_000, availableBitsPerSecond: 292_000, encodeTime: .milliseconds(8), codec: "H264",
            quantizer: .init(frameCount: 30, mean: 36), packetsLost: 17)
        stats.videoReceived = .init(
            received: .init(width: 640, height: 480, framesPerSecond: 26), decodedFramesPerSecond: 27,
            outputFramesPerSecond: 27, bitsPerSecond: 827_000, availableBitsPerSecond: 0,
            decodeTime: .milliseconds(4), packetsLost: 0)
        return stats
    }

    @Test func everyLineHasItsLayout() {
        let golden = """
            CN 565ms | local->local/udp | (s)248Kbps | (r)869Kbps
            VS (input) 640x480@30fps | (sent) 640x480@30fps
            VS (enc) 279Kbps/260Kbps | (sent) 200Kbps/292Kbps | 8ms | H264
            AvgQP (past 30 encoded frames) = 36
            VR (recv) 640x480@26fps | (decoded)27 | (output)27fps | 827Kbps/0bps | 4ms
            AS 38Kbps | opus
            AR 37Kbps | opus | 168ms | (expandrate)0.190002
            Packets lost: VS 17 | VR 0 | AS 3 | AR 0
            """
        #expect(full.text == golden)
    }

    @Test func streamsThatDoNotExistHaveNoLine() {
        #expect(
            audio.text == """
                CN 565ms | local->local/udp | (s)248Kbps | (r)869Kbps
                AS 38Kbps | opus
                AR 37Kbps | opus | 168ms | (expandrate)0.190002
                Packets lost: AS 3 | AR 0
                """)
        #expect(StatsText().text.isEmpty)
        var video = full
        video.videoSent?.quantizer = nil
        #expect(!video.text.contains("AvgQP"))
    }

    @Test func whatIsNotKnownIsADash() {
        var stats = audio
        stats.connection?.roundTrip = nil
        #expect(stats.lines.first == "CN – | local->local/udp | (s)248Kbps | (r)869Kbps")
    }

    @Test(arguments: [
        (0.0, "0bps"), (999, "999bps"), (999.6, "1Kbps"), (1000, "1Kbps"), (37_499, "37Kbps"), (37_500, "38Kbps"),
        (999_400, "999Kbps"), (1_000_000, "1.00Mbps"), (2_345_678, "2.35Mbps"), (-5, "0bps"), (.nan, "0bps"),
        (.infinity, "0bps"),
    ])
    func bitratesHaveTheirUnit(rate: Double, text: String) {
        var stats = StatsText()
        stats.audioSent = .init(bitsPerSecond: rate, codec: "opus", packetsLost: 0)
        #expect(stats.lines.first == "AS \(text) | opus")
    }

    @Test(arguments: [(0.0, "0.000000"), (1, "1.000000"), (0.0000004, "0.000000"), (0.0500001, "0.050000")])
    func expandRateHasSixDecimals(rate: Double, text: String) {
        var stats = audio
        stats.audioReceived?.expandRate = rate
        #expect(stats.lines[2].hasSuffix("(expandrate)\(text)"))
    }

    @Test func candidateTypesHaveTheirOldNames() {
        let types: [CandidateType] = [.host, .serverReflexive, .peerReflexive, .relayed]
        #expect(types.map(\.statsName) == ["local", "stun", "prflx", "relay"])
    }
}
