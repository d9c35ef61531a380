import ControlClient
import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Push to talk between two cores, judged by what is heard.
@Suite(.serialized) struct HeardTalkTests {
    private static let on: [String: JSONValue] = ["on": .bool(true)]
    private static let off: [String: JSONValue] = ["on": .bool(false)]

    @Test func onlyWhoPushesIsHeardAndMuteWins() throws {
        let pair = try TonePair(settings: ["audio": ["talk=push"]])
        #expect(pair.earB.fallsSilent() && pair.earA.fallsSilent())
        #expect(try pair.a.wait { $0.state.audio.waitsForPush && ($0.levels.microphone ?? -127) > -30 })
        try pair.a.call("audio.talk", Self.on)
        #expect(pair.earB.hears(TonePair.hzOfA))
        #expect(try pair.a.wait { $0.state.audio.microphone == .live && $0.state.audio.isTalking == true })
        #expect(try pair.b.wait { $0.people.first?.isMuted == false }, "to push is not news to the others")
        try pair.a.call("audio.talk", Self.off)
        #expect(pair.earB.fallsSilent())
        try pair.a.call("audio.talk", Self.on)
        #expect(pair.earB.hears(TonePair.hzOfA))
        try pair.a.call("audio.mute", Self.on)
        #expect(pair.earB.fallsSilent())
        #expect(throws: ClientError.self) { try pair.a.call("audio.talk", Self.on) }
        try pair.a.call("audio.mute", Self.off)
        #expect(try pair.a.wait { $0.state.audio.waitsForPush })
        #expect(pair.earB.fallsSilent(), "what was pushed before the mute is over")
        try pair.a.call("settings.set", ["name": "audio.talk", "value": "open"])
        #expect(pair.earB.hears(TonePair.hzOfA))
        #expect(throws: ClientError.self) { try pair.a.call("audio.talk", Self.on) }
    }

    /// A console that dies, and a key that is not heard of any more, keep no microphone open.
    @Test func aTalkEndsWithItsConsoleOrItsTime() throws {
        let pair = try TonePair(settings: ["audio": ["talk=push"]])
        var second: CoreConnection? = try pair.a.program.attach()
        _ = try second?.call("core.subscribe", ["console": .bool(true)])
        _ = try second?.call("audio.talk", Self.on)
        #expect(pair.earB.hears(TonePair.hzOfA))
        try pair.a.call("audio.talk", Self.on)
        try pair.a.call("audio.talk", Self.off)
        #expect(try pair.a.wait { $0.state.audio.isTalking == true }, "the other console pushes still")
        second = nil
        #expect(pair.earB.fallsSilent())
        #expect(try pair.a.wait { $0.state.core.consoles == 1 && $0.state.audio.waitsForPush })
        try pair.a.call("audio.talk", ["on": .bool(true), "seconds": .integer(1)])
        #expect(pair.earB.hears(TonePair.hzOfA))
        #expect(pair.earB.fallsSilent())
        #expect(try pair.a.wait { $0.events.contains { $0.kind == .microphone } })
    }

    @Test func verbsTalkForTheMicrophoneUntilTheLastConsoleGoes() throws {
        let pair = try TonePair(settings: ["audio": ["talk=push"]])
        let talk = try pair.a.program.run("talk", "on")
        #expect(talk.status == 0 && talk.output == "talk on\n")
        #expect(pair.earB.hears(TonePair.hzOfA), "the verb's end does not end it")
        #expect(try pair.a.program.run("talk").output == "talk on\n", "it does not toggle")
        #expect(try pair.a.program.run("talk", "toggle").output == "talk off\n")
        #expect(pair.earB.fallsSilent())
        try pair.a.call("audio.talk", Self.on)
        #expect(try pair.a.program.run("talk", "off").output == "talk off\n", "whoever pushes")
        #expect(pair.earB.fallsSilent())
        #expect(try pair.a.program.run("talk", "on").status == 0)
        #expect(pair.earB.hears(TonePair.hzOfA))
        try pair.a.call("core.subscribe", ["console": .bool(false)])
        #expect(pair.earB.fallsSilent())
    }
}
