import ControlProtocol
import Primitives
import TestSupport
import Testing

/// A call whose sound server goes and comes, judged by what is heard; the other side has a server of its own.
@Suite(.serialized) struct SoundServerInCallTests {
    /// A core on its own sound server, and what its microphone hears.
    private final class Box {
        let pulse: PrivatePulse
        let core: SoundingCore
        let name: String
        private let hz: Double
        private var player: PulsePlayer?

        init(_ name: String, hz: Double, sinks: [String]? = nil) throws {
            self.name = name
            self.hz = hz
            pulse = try PrivatePulse(sinks: sinks ?? ["\(name)_mic", "\(name)_spk"])
            if sinks == nil { try Self.plugIn(name, pulse) }
            core = try SoundingCore(name, pulse: pulse)
            if sinks == nil { try speak() }
        }

        static func plugIn(_ name: String, _ pulse: PrivatePulse) throws {
            _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
        }

        /// Sounds the tone in the microphone.
        func speak() throws {
            let tone = ToneMeter.tone(frequencyHz: hz, amplitude: 0.25, seconds: 60)
            player = try PulsePlayer(pulse, sink: "\(name)_mic", samples: tone)
        }

        /// Ends the server as a crash would.
        func crash() {
            player = nil
            pulse.kill()
        }

        func ear() throws -> Ear {
            try Ear(pulse, at: name)
        }
    }

    /// What is left of two seconds since `start`.
    private func rest(since start: MonoTime) -> Duration {
        .seconds(2) - (MonoTime.now() - start)
    }

    /// DESIGN 6: for ever, so twice.
    @Test func soundIsHeardAgainWithinTwoSecondsOfTheServersReturn() throws {
        let a = try Box("a", hz: 440)
        let b = try Box("b", hz: 620)
        try b.core.join(try a.core.host("room"))
        let earB = try b.ear()
        try #require(try a.ear().hears(620) && earB.hears(440))
        for _ in 0..<2 {
            a.crash()
            #expect(try a.core.wait { !$0.state.audio.server.isConnected })
            #expect(earB.fallsSilent())
            #expect(try a.core.waitForPeople(1), "the call goes on")
            try a.pulse.start()
            let back = MonoTime.now()
            #expect(try a.ear().hears(620, within: rest(since: back)))
            try Box.plugIn("a", a.pulse)
            try a.speak()
            let pluggedIn = MonoTime.now()
            #expect(earB.hears(440, within: rest(since: pluggedIn)))
        }
    }

    /// A server may have nothing to play on or to capture from; what is plugged in then is used at once.
    @Test func whatIsPluggedInDuringACallIsHeard() throws {
        let a = try Box("a", hz: 440, sinks: [])
        let b = try Box("b", hz: 620)
        try b.core.join(try a.core.host("room"))
        try #require(try a.core.waitForPeople(1) && b.core.waitForPeople(1))
        #expect(
            try a.core.wait {
                $0.state.audio.server.isConnected && $0.state.audio.output == nil
                    && $0.state.audio.microphone == .noMicrophone
            })
        _ = try a.pulse.loadSink("a_spk")
        #expect(try a.ear().hears(620))
        _ = try a.pulse.loadSink("a_mic")
        try Box.plugIn("a", a.pulse)
        try a.speak()
        #expect(try b.ear().hears(440))
        #expect(try a.core.wait { $0.state.audio.microphone == .live })
    }
}
