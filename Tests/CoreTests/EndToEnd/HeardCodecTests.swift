import ControlProtocol
import TestSupport
import Testing

/// What calls are encoded by, judged by what is heard and by what is counted.
@Suite(.serialized) struct HeardCodecTests {
    /// Who came later offers, and may have nothing else; who was there answers, in the order of its own list.
    @Test(arguments: [("b", "pcmu"), ("a", "pcma,opus")])
    func aCallByG711IsHeardBothWays(chooser: String, codecs: String) throws {
        let pair = try TonePair(settings: ["audio": ["frame-ms=40"]], codecs: [chooser: codecs])
        try pair.expectTonesArrive()
        for core in [pair.a, pair.b] {
            let used = try core.streams("codec")
            let name = try #require(codecs.split(separator: ",").first)
            #expect(used.map { $0["mimeType"] } == [.string("audio/\(name)")] && used[0]["clockRate"] == 8000)
            let sent = try #require(try core.streams("outbound-rtp").first)
            let (bytes, packets) = (sent["bytesSent"]?.integerValue ?? 0, sent["packetsSent"]?.integerValue ?? 1)
            #expect(bytes == packets * 320, "40 ms of eight samples a millisecond")
        }
    }

    @Test func whoSpeaksBothIsHeardByOpusAndByG711() throws {
        let room = try ToneRoom(codecs: ["a": "opus", "b": "pcma"])
        #expect(try room.ear("a").hears(only: ["c"]))
        #expect(try room.ear("b").hears(only: ["c"]))
        #expect(try room.ear("c").hears(only: ["a", "b"]))
        for (name, other) in ["a": "b", "b": "a"] {
            let reason = "no audio codec suits both sides; audio.codecs lists this side's"
            #expect(
                try room[name].wait { core in
                    core.people.contains { $0.name == other && $0.link == .failed && $0.reason == reason }
                })
        }
    }
}
