import ControlClient
import ControlProtocol
import Primitives
import TestSupport
import Testing

/// The microphone's level without a call: the device is open exactly while somebody looks.
@Suite(.serialized) struct MeterTests {
    private let pulse: PrivatePulse
    private let player: PulsePlayer
    private let a: SoundingCore

    init() throws {
        pulse = try PrivatePulse(sinks: ["a_mic", "a_spk"])
        _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
        player = try PulsePlayer(
            pulse, sink: "a_mic", samples: ToneMeter.tone(frequencyHz: 440, amplitude: 0.2, seconds: 60))
        a = try SoundingCore("a", pulse: pulse)
        try #require(try a.wait { $0.state.audio.microphone == .idle })
    }

    /// Streams that hoot captures from the microphone, as the server counts them.
    private func captures() throws -> Int {
        try pulse.control("list", "source-outputs").split(separator: "\n").count {
            $0.contains("application.name = \"hoot")
        }
    }

    private func isOpen(_ wished: Bool) throws -> Bool {
        try holds(within: .seconds(20)) { try (captures() > 0) == wished }
    }

    private func shows(_ on: Bool) throws {
        _ = try a.call("audio.meter", ["on": .bool(on)])
    }

    @Test func theLevelComesWhileItIsShownAndTheDeviceIsReleasedAfterwards() throws {
        #expect(try isOpen(false))
        try shows(true)
        // A tone of amplitude 0.2 is at -17 dBov.
        #expect(try a.wait { abs(($0.levels.microphone ?? -127) + 17) <= 3 }, "\(a.levels)")
        #expect(a.state.audio.microphone == .idle && a.state.audio.isMetering == true)
        try shows(false)
        #expect(try isOpen(false))
        #expect(try a.wait { $0.state.audio.isMetering == nil })
    }

    @Test func whoLooksAndIsLostLooksNoMore() throws {
        try shows(true)
        #expect(try isOpen(true))
        do {
            let other = try a.program.attach()
            _ = try other.call("audio.meter", ["on": .bool(true)])
            try shows(false)
            #expect(try isOpen(true), "the other one looks still")
            _ = other
        }
        #expect(try isOpen(false))
    }

    /// A host that serves a room for others costs no sound until somebody comes.
    @Test func aloneAndUnattendedTheDevicesAreGivenBack() throws {
        let link = try a.host("room")
        #expect(try isOpen(true), "somebody sits at the console")
        _ = try a.call("core.subscribe", ["console": .bool(false)])
        #expect(try isOpen(false))
        let b = try SoundingCore("b", pulse: nil)
        try b.join(link)
        #expect(try isOpen(true), "somebody came")
        #expect(try b.wait { $0.levels.people.values.contains { $0 > -30 } })
        _ = try b.call("call.leave")
        #expect(try isOpen(false))
    }

    @Test func aClosedMicrophoneStaysClosedAndACallIsNotDisturbed() throws {
        try shows(true)
        #expect(try isOpen(true))
        _ = try a.call("audio.close", ["on": .bool(true)])
        #expect(try isOpen(false))
        _ = try a.call("audio.close", ["on": .bool(false)])
        #expect(try isOpen(true))
        _ = try a.host("room")
        #expect(try a.wait { $0.state.audio.microphone == .live && $0.state.audio.isMetering == nil })
        #expect(try a.wait { abs(($0.levels.microphone ?? -127) + 17) <= 3 })
        try shows(false)
        #expect(try isOpen(true), "the call needs it")
        _ = try a.call("call.leave")
        #expect(try isOpen(false))
    }
}
