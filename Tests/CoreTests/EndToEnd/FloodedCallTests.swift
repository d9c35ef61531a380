import Foundation
import Primitives
import TestSupport
import Testing

/// Calls beside floods: what is heard stays whole, and memory bounded.
@Suite(.serialized) struct FloodedCallTests {
    @Test func tenThousandStrangersAtTheDoorAreNotHeard() throws {
        let pair = try TonePair(usesTLS: true)
        try #require(pair.hearEachOther())
        func flood(_ link: String) throws -> (RoomFlood, CallToll) {
            let url = try #require(URL(string: link))
            try #require(url.scheme == "https")
            let flood = RoomFlood(port: UInt16(url.port ?? 0), count: 10_000)
            return (flood, try CallToll(pair) { flood.isGoingOn })
        }
        let (strangers, toll) = try flood(pair.link)
        #expect(strangers.sessionCount > 5000 && strangers.answerCount > 1000)
        #expect(toll.growth < 8 << 20, "it grew by \(toll.growth / 1024) KiB")
        try toll.expectNothingHeard {
            let bystander = try SoundingCore("c", pulse: nil)
            return try flood(try bystander.host("room", with: TonePair.overTLS)).1
        }
        #expect(try pair.a.waitForPeople(1) && pair.b.waitForPeople(1))
    }

    @Test(arguments: [true, false]) func aScriptThatFloodsTheSocketIsNotHeard(reads: Bool) throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        func flood(_ core: SoundingCore) throws -> (SocketFlood, CallToll) {
            let path = core.program.directories.socketPath
            let flood = try SocketFlood(socketPath: path, count: 100_000, reads: reads)
            return (flood, try CallToll(pair) { flood.isGoingOn })
        }
        let (script, toll) = try flood(pair.a)
        if reads {
            #expect(script.answerCount == 100_000)
        } else {
            #expect(script.answerCount == 0 && script.sentByteCount > 0, "it was held back")
        }
        #expect(toll.growth < 8 << 20, "it grew by \(toll.growth / 1024) KiB")
        try toll.expectNothingHeard { try flood(try SoundingCore("c", pulse: nil)).1 }
        #expect(try pair.a.waitForPeople(1) && pair.b.waitForPeople(1))
    }
}
