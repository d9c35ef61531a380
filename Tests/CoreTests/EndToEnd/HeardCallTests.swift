import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Two cores in one call, judged by what is heard.
@Suite(.serialized) struct HeardCallTests {
    private static let toneHz = 440.0
    private static let otherHz = 620.0
    private static let amplitude: Float = 0.25

    /// Two cores in a call, a tone in each microphone, an ear at each speaker.
    private final class Pair {
        let pulse: PrivatePulse
        let a: SoundingCore
        let b: SoundingCore
        private let players: [PulsePlayer]
        let earA: PulseRecorder
        let earB: PulseRecorder

        init(settings: [String: [String]] = [:], mutedB: Bool = false) throws {
            pulse = try PrivatePulse()
            _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
            _ = try pulse.loadMicrophone("b_microphone", of: "b_mic")
            players = [
                try PulsePlayer(pulse, sink: "a_mic", samples: Self.tone(toneHz)),
                try PulsePlayer(pulse, sink: "b_mic", samples: Self.tone(otherHz)),
            ]
            a = try SoundingCore("a", pulse: pulse, settings: settings)
            b = try SoundingCore("b", pulse: pulse, settings: settings)
            let link = try a.host("room")
            try b.join(link, muted: mutedB)
            try #require(try a.waitForPeople(1) && b.waitForPeople(1))
            earA = try PulseRecorder(pulse, source: "a_spk.monitor")
            earB = try PulseRecorder(pulse, source: "b_spk.monitor")
        }

        private static func tone(_ hz: Double) -> [Float] {
            ToneMeter.tone(frequencyHz: hz, amplitude: amplitude, seconds: 90)
        }

        /// Whether the tone comes to be heard.
        func hears(_ ear: PulseRecorder, _ hz: Double, within limit: Duration = .seconds(5)) -> Bool {
            var window = ToneMeter([])
            return ear.awaitBlock(within: limit) { block in
                window = ToneMeter(Array((window.samples + block.samples).suffix(4800)))
                return window.samples.count == 4800 && window.amplitude(atHz: hz) > 0.1
            } != nil
        }

        /// Whether it becomes silent: half a second of it.
        func fallsSilent(_ ear: PulseRecorder, within limit: Duration = .seconds(5)) -> Bool {
            var quiet = 0
            return ear.awaitBlock(within: limit) { block in
                quiet = block.peak < 0.002 ? quiet + 1 : 0
                return quiet >= 50
            } != nil
        }
    }

    @Test func aToneArrivesBothWaysWithItsFrequencyAndLevel() throws {
        let pair = try Pair()
        for (ear, hz) in [(pair.earB, Self.toneHz), (pair.earA, Self.otherHz)] {
            try #require(pair.hears(ear, hz))
            // A buffer that stretches leaves out or repeats whole periods: most windows have none of that.
            let heard = ear.record(96_000)
            let frequency = heard.windows(of: 4800).map { ToneMeter($0).frequencyHz }.median
            #expect(abs(frequency - hz) < hz * 0.01, "\(frequency) Hz")
            let change = decibels(amplitude: heard.amplitude(atHz: hz) / Double(Self.amplitude))
            #expect(abs(change) < 3, "\(change) dB")
        }
    }

    /// Q8, A21: nothing is heard, and the own meter moves.
    @Test func muteSilencesAndKeepsTheOwnMeterMoving() throws {
        let pair = try Pair()
        try #require(pair.hears(pair.earB, Self.toneHz))
        try pair.a.call("audio.mute", ["on": .bool(true)])
        #expect(pair.fallsSilent(pair.earB))
        #expect(try pair.a.wait { $0.state.audio.microphone == .muted && ($0.levels.microphone ?? -127) > -30 })
        #expect(try pair.b.wait { $0.people.first?.isMuted == true })
        #expect(pair.hears(pair.earA, Self.otherHz), "the other direction goes on")
        try pair.a.call("audio.mute", ["on": .bool(false)])
        #expect(pair.hears(pair.earB, Self.toneHz))
    }

    @Test func whoStartsMutedSendsNothingUntilUnmuted() throws {
        let pair = try Pair(mutedB: true)
        #expect(pair.fallsSilent(pair.earA))
        let statistics = try pair.b.call("stats.get")
        #expect(statistics.text.contains("\"packetsSent\":0"))
        try pair.b.call("audio.mute", ["on": .bool(false)])
        #expect(pair.hears(pair.earA, Self.otherHz))
    }

    /// DESIGN 6, L49: both directions stop, and the earlier mute comes back.
    @Test func holdStopsBothDirectionsAndGivesTheMuteBack() throws {
        let pair = try Pair()
        try #require(pair.hears(pair.earB, Self.toneHz) && pair.hears(pair.earA, Self.otherHz))
        try pair.a.call("audio.mute", ["on": .bool(true)])
        try pair.a.call("call.hold", ["on": .bool(true)])
        #expect(pair.fallsSilent(pair.earB) && pair.fallsSilent(pair.earA))
        #expect(try pair.b.wait { $0.people.first?.isHolding == true })
        try pair.a.call("call.hold", ["on": .bool(false)])
        #expect(pair.hears(pair.earA, Self.otherHz))
        #expect(pair.fallsSilent(pair.earB), "still muted")
        try pair.a.call("audio.mute", ["on": .bool(false)])
        #expect(pair.hears(pair.earB, Self.toneHz))
    }

    /// Q11, A24: in these ears only.
    @Test func silenceDeafenAndVolumeAreHeardHereOnly() throws {
        let pair = try Pair()
        try #require(pair.hears(pair.earB, Self.toneHz) && pair.hears(pair.earA, Self.otherHz))
        try pair.b.call("participant.silence", ["participant": .string("a"), "on": .bool(true)])
        #expect(pair.fallsSilent(pair.earB))
        #expect(pair.hears(pair.earA, Self.otherHz))
        try pair.b.call("participant.silence", ["participant": .string("a"), "on": .bool(false)])
        #expect(pair.hears(pair.earB, Self.toneHz))
        try pair.b.call("audio.deafen", ["on": .bool(true)])
        #expect(pair.fallsSilent(pair.earB))
        try pair.b.call("audio.deafen", ["on": .bool(false)])
        #expect(pair.hears(pair.earB, Self.toneHz))
        let before = pair.earB.record(48_000).amplitude(atHz: Self.toneHz)
        try pair.b.call("participant.volume", ["participant": .string("a"), "percent": .integer(50)])
        _ = pair.earB.record(24_000)
        let after = pair.earB.record(48_000).amplitude(atHz: Self.toneHz)
        #expect(abs(decibels(amplitude: after / before) + 6) < 1)
    }

    /// A20: the device is released; playback goes on.
    @Test func closeReleasesTheMicrophoneAndLeaveEndsTheCall() throws {
        let pair = try Pair()
        try #require(pair.hears(pair.earB, Self.toneHz) && pair.hears(pair.earA, Self.otherHz))
        try pair.a.call("audio.close", ["on": .bool(true)])
        #expect(pair.fallsSilent(pair.earB))
        #expect(try !pair.pulse.control("list", "source-outputs").contains("\(pair.a.state.core.pid)\""))
        #expect(pair.hears(pair.earA, Self.otherHz))
        try pair.a.call("audio.close", ["on": .bool(false)])
        #expect(pair.hears(pair.earB, Self.toneHz))
        try pair.b.call("call.leave")
        #expect(pair.fallsSilent(pair.earA))
        #expect(try pair.a.wait { $0.people.isEmpty })
    }

    @Test(arguments: [10, 40, 60]) func otherPacketTimesCarryTheTone(milliseconds: Int) throws {
        let pair = try Pair(settings: ["audio": ["frame-ms=\(milliseconds)"]])
        #expect(pair.hears(pair.earB, Self.toneHz) && pair.hears(pair.earA, Self.otherHz))
    }

    @Test func soundIsBackWithinTwoSecondsOfTheServersReturn() throws {
        let pulse = try PrivatePulse()
        _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
        let a = try SoundingCore("a", pulse: pulse)
        let b = try SoundingCore("b", pulse: nil)
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && a.wait { $0.state.audio.input != nil })
        pulse.kill()
        #expect(try a.wait { !$0.state.audio.server.isConnected })
        #expect(try a.waitForPeople(1), "the call goes on")
        try pulse.start()
        _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
        let player = try PulsePlayer(
            pulse, sink: "a_mic", samples: ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 30))
        #expect(try a.wait(within: .seconds(2)) { $0.state.audio.input != nil })
        #expect(try b.wait(within: .seconds(5)) { $0.levels.people.values.contains { $0 > -30 } })
        withExtendedLifetime(player) {}
    }
}

extension [Float] {
    /// The samples in pieces of `count`; what is left over is left out.
    fileprivate func windows(of count: Int) -> [[Float]] {
        (0..<self.count / count).map { Array(self[$0 * count..<($0 + 1) * count]) }
    }
}

extension [Float] {
    /// The amplitude of a tone in most of the windows of 100 ms.
    fileprivate func amplitude(atHz hz: Double) -> Double {
        windows(of: 4800).map { ToneMeter($0).amplitude(atHz: hz) }.median
    }
}

extension [Double] {
    fileprivate var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
