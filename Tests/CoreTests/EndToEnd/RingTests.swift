import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Ringing and the program's own tones, judged by what is heard.
@Suite(.serialized) struct RingTests {
    /// The ring's two notes, and those of the soft tones.
    private static let (ringHigh, ringLow) = (587.33, 493.88)
    private static let (low, high) = (523.25, 659.25)
    private static let (muted, unmuted) = (349.23, 698.46)

    private func comes(_ hz: Double, to ear: Ear, within limit: Duration = .seconds(20)) -> Bool {
        ear.awaitTenth(within: limit) { $0.amplitude(atHz: hz) > 0.02 }
    }

    private enum End: CaseIterable {
        case answer
        case reject
        case timeout
    }

    @Test func theRingSoundsAtItsOwnSpeakerUntilItIsOver() throws {
        let pulse = try PrivatePulse(sinks: ["b_mic", "b_spk", "bell_spk"])
        _ = try pulse.loadMicrophone("b_microphone", of: "b_mic")
        let a = try SoundingCore("a", pulse: nil, settings: ["call": ["answer-interval=10"]])
        let b = try SoundingCore("b", pulse: pulse, settings: ["audio": ["ring-device=bell_spk"]])
        try b.call("room.wait", ["room": .string(try a.host("room")), "name": .string("bea")])
        let rings = { (core: SoundingCore) in core.state.calls.values.contains { $0.phase == .ringing } }
        for end in End.allCases {
            try #require(try b.wait { $0.state.waiting["room"]?.isConnected == true && $0.state.calls.isEmpty })
            let (bell, speaker) = (try Ear(pulse, at: "bell"), try Ear(pulse, at: "b"))
            try a.call("room.ring", ["names": .string("bea")])
            #expect(comes(Self.ringHigh, to: bell) && comes(Self.ringLow, to: bell), "before \(end)")
            #expect(speaker.listen(seconds: 1).peak < 0.002, "the other speaker is silent")
            switch end {
            case .answer: try b.call("call.answer")
            case .reject: try b.call("call.reject")
            case .timeout: break
            }
            #expect(try b.wait { !rings($0) }, "\(end)")
            #expect(
                try holds(within: .seconds(20)) { try end == .answer || !plays(b, on: pulse) }, "\(end): given back")
            // Two seconds have a ring in them; what was played before is over by then.
            #expect(try Ear(pulse, at: "bell").listen(seconds: 2.5).suffix(96_000).peak < 0.002, "after \(end)")
            if end == .answer { try b.call("call.leave") }
        }
    }

    private func plays(_ core: SoundingCore, on pulse: PrivatePulse) throws -> Bool {
        try pulse.control("list", "sink-inputs").contains("\"\(core.state.core.pid)\"")
    }

    /// Who is in a call wears the call's speaker.
    @Test func inACallTheRingIsHeardThereToo() throws {
        let pulse = try PrivatePulse(sinks: ["b_mic", "b_spk", "bell_spk"])
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: pulse, settings: ["audio": ["ring-device=bell_spk"]])
        try b.call("room.wait", ["room": .string(try a.host("room")), "name": .string("bea")])
        try #require(try b.wait { $0.state.waiting["room"]?.isConnected == true })
        _ = try b.host("other")
        try a.call("room.ring", ["names": .string("bea")])
        #expect(comes(Self.ringHigh, to: try Ear(pulse, at: "b")))
        #expect(comes(Self.ringHigh, to: try Ear(pulse, at: "bell")))
    }

    @Test func softTonesAreHeardHereAndSentToNobody() throws {
        let pair = try TonePair(settings: ["audio": ["tones=on"]])
        try #require(pair.hearEachOther())
        try pair.a.call("audio.mute", ["on": .bool(true)])
        #expect(comes(Self.muted, to: pair.earA))
        #expect(pair.earB.fallsSilent())
        try pair.a.call("audio.mute", ["on": .bool(false)])
        #expect(comes(Self.unmuted, to: pair.earA))
        #expect(pair.earB.hears(TonePair.hzOfA))
        let heard = pair.earB.listen(seconds: 0.5)
        #expect(heard.amplitude(atHz: Self.unmuted) < 0.005 && heard.amplitude(atHz: Self.muted) < 0.005)
        try pair.b.call("call.leave")
        #expect(comes(Self.high, to: pair.earA) && comes(Self.low, to: pair.earA), "two notes down")
        try pair.b.join(pair.link)
        #expect(comes(Self.low, to: pair.earA) && comes(Self.high, to: pair.earA), "two notes up")
    }

    @Test func withoutTheSettingThereAreNoTones() throws {
        let pair = try TonePair()
        try #require(pair.hearEachOther())
        try pair.b.call("call.leave")
        try pair.a.call("audio.mute", ["on": .bool(true)])
        #expect(pair.earA.fallsSilent())
        #expect(pair.earA.listen(seconds: 1).peak < 0.002)
    }
}
