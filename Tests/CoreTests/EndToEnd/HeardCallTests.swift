import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Two cores in one call, judged by what is heard.
@Suite(.serialized) struct HeardCallTests {
    @Test func aToneArrivesBothWaysWithItsFrequencyAndLevel() throws {
        try TonePair().expectTonesArrive()
    }

    /// Q8, A21: nothing is heard, and the own meter moves.
    @Test func muteSilencesAndKeepsTheOwnMeterMoving() throws {
        let pair = try TonePair()
        try #require(pair.earB.hears(TonePair.hzOfA))
        try pair.a.call("audio.mute", ["on": .bool(true)])
        #expect(pair.earB.fallsSilent())
        #expect(try pair.a.wait { $0.state.audio.microphone == .muted && ($0.levels.microphone ?? -127) > -30 })
        #expect(try pair.b.wait { $0.people.first?.isMuted == true })
        #expect(pair.earA.hears(TonePair.hzOfB), "the other direction goes on")
        try pair.a.call("audio.mute", ["on": .bool(false)])
        #expect(pair.earB.hears(TonePair.hzOfA))
    }

    @Test func whoStartsMutedSendsNothingUntilUnmuted() throws {
        let pair = try TonePair(mutedB: true)
        #expect(pair.earA.fallsSilent())
        let statistics = try pair.b.call("stats.get")
        #expect(statistics.text.contains("\"packetsSent\":0"))
        try pair.b.call("audio.mute", ["on": .bool(false)])
        #expect(pair.earA.hears(TonePair.hzOfB))
    }

    /// DESIGN 6, L49: both directions stop, and the earlier mute comes back.
    @Test func holdStopsBothDirectionsAndGivesTheMuteBack() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        try pair.a.call("audio.mute", ["on": .bool(true)])
        try pair.a.call("call.hold", ["on": .bool(true)])
        #expect(pair.earB.fallsSilent() && pair.earA.fallsSilent())
        #expect(try pair.b.wait { $0.people.first?.isHolding == true })
        try pair.a.call("call.hold", ["on": .bool(false)])
        #expect(pair.earA.hears(TonePair.hzOfB))
        #expect(pair.earB.fallsSilent(), "still muted")
        try pair.a.call("audio.mute", ["on": .bool(false)])
        #expect(pair.earB.hears(TonePair.hzOfA))
    }

    /// Q11, A24: in these ears only.
    @Test func silenceDeafenAndVolumeAreHeardHereOnly() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        try pair.b.call("participant.silence", ["participant": .string("a"), "on": .bool(true)])
        #expect(pair.earB.fallsSilent())
        #expect(pair.earA.hears(TonePair.hzOfB))
        try pair.b.call("participant.silence", ["participant": .string("a"), "on": .bool(false)])
        #expect(pair.earB.hears(TonePair.hzOfA))
        try pair.b.call("audio.deafen", ["on": .bool(true)])
        #expect(pair.earB.fallsSilent())
        try pair.b.call("audio.deafen", ["on": .bool(false)])
        #expect(pair.earB.hears(TonePair.hzOfA))
        let before = pair.earB.listen(seconds: 1).medianAmplitude(atHz: TonePair.hzOfA)
        try pair.b.call("participant.volume", ["participant": .string("a"), "percent": .integer(50)])
        _ = pair.earB.listen(seconds: 0.5)
        let after = pair.earB.listen(seconds: 1).medianAmplitude(atHz: TonePair.hzOfA)
        #expect(abs(decibels(amplitude: after / before) + 6) < 1)
    }

    /// A20: the device is released; playback goes on.
    @Test func closeReleasesTheMicrophoneAndLeaveEndsTheCall() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        let captures = { try pair.pulse.control("list", "source-outputs").contains("\"\(pair.a.state.core.pid)\"") }
        #expect(try captures())
        try pair.a.call("audio.close", ["on": .bool(true)])
        #expect(pair.earB.fallsSilent())
        #expect(try !captures())
        #expect(pair.earA.hears(TonePair.hzOfB))
        try pair.a.call("audio.close", ["on": .bool(false)])
        #expect(pair.earB.hears(TonePair.hzOfA))
        #expect(try captures())
        try pair.b.call("call.leave")
        #expect(pair.earA.fallsSilent())
        #expect(try pair.a.wait { $0.people.isEmpty })
    }

    @Test(arguments: [10, 40, 60]) func otherPacketTimesCarryTheTone(milliseconds: Int) throws {
        let pair = try TonePair(settings: ["audio": ["frame-ms=\(milliseconds)"]])
        #expect(pair.hearEachOther())
    }
}
