import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Two cores in a call, a tone in each microphone, an ear at each speaker.
final class TonePair {
    /// The tone in a's microphone, and the one in b's.
    static let (hzOfA, hzOfB) = (440.0, 620.0)
    static let amplitude: Float = 0.25

    /// By a public address, a room of loopback is served over TLS too.
    static let overTLS: [String: JSONValue] = ["publicAddress": .string("127.0.0.1")]

    let pulse: PrivatePulse
    let a: SoundingCore
    let b: SoundingCore
    let link: String
    let earA: Ear
    let earB: Ear
    private let players: [PulsePlayer]

    /// - Parameters:
    ///   - settings: lines of both cores' `hoot.conf` beside the devices, by group.
    ///   - codecs: what `audio.codecs` lists, of those with another than the default.
    ///   - network: where their sockets live; `nil`: where the tests' do.
    init(
        settings: [String: [String]] = [:], codecs: [String: String] = [:], mutedB: Bool = false, usesTLS: Bool = false,
        network: NetworkNamespace? = nil
    ) throws {
        pulse = try PrivatePulse()
        _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
        _ = try pulse.loadMicrophone("b_microphone", of: "b_mic")
        players = [
            try PulsePlayer(pulse, sink: "a_mic", samples: Self.tone(Self.hzOfA)),
            try PulsePlayer(pulse, sink: "b_mic", samples: Self.tone(Self.hzOfB)),
        ]
        let pulse = pulse
        let cores = try ["a", "b"].map { name in
            var settings = settings
            if let list = codecs[name] { settings["audio", default: []].append("codecs=\(list)") }
            return try SoundingCore(name, pulse: pulse, settings: settings, network: network)
        }
        (a, b) = (cores[0], cores[1])
        link = try a.host("room", with: usesTLS ? Self.overTLS : [:])
        try b.join(link, muted: mutedB)
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        earA = try Ear(pulse, at: "a")
        earB = try Ear(pulse, at: "b")
    }

    static func tone(_ hz: Double) -> [Float] {
        ToneMeter.tone(frequencyHz: hz, amplitude: amplitude, seconds: 90)
    }

    /// Expects that each hears the other's tone, at its frequency and level.
    func expectTonesArrive() throws {
        for (ear, hz) in [(earB, Self.hzOfA), (earA, Self.hzOfB)] {
            try #require(ear.hears(hz))
            let heard = ear.listen(seconds: 2)
            #expect(abs(heard.medianFrequencyHz - hz) < hz * 0.01, "\(heard.medianFrequencyHz) Hz")
            let change = decibels(amplitude: heard.medianAmplitude(atHz: hz) / Double(Self.amplitude))
            #expect(abs(change) < 3, "\(change) dB")
        }
    }

    /// Whether each comes to hear the other.
    func hearEachOther() -> Bool {
        earB.hears(Self.hzOfA) && earA.hears(Self.hzOfB)
    }
}
