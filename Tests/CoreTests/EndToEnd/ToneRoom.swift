import Glibc
import TestSupport
import Testing

/// Three cores in a room that `c` hosts, with a tone in each one's microphone.
final class ToneRoom {
    static let tones = ["a": 440.0, "b": 620.0, "c": 890.0]

    let pulse: PrivatePulse
    let cores: [String: SoundingCore]
    let link: String
    private let players: [PulsePlayer]

    /// - Parameter codecs: what `audio.codecs` lists, of those with another than the default. Then not everybody can come
    ///   to be connected with everybody, and is waited for.
    init(codecs: [String: String] = [:]) throws {
        let names = ["c", "a", "b"]
        let pulse = try PrivatePulse(sinks: names.flatMap { ["\($0)_mic", "\($0)_spk"] })
        self.pulse = pulse
        players = try names.map { name in
            _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
            let tone = ToneMeter.tone(frequencyHz: Self.tones[name] ?? 0, amplitude: 0.2, seconds: 60)
            return try PulsePlayer(pulse, sink: "\(name)_mic", samples: tone)
        }
        let made = try names.map { name in
            let settings = codecs[name].map { ["audio": ["codecs=\($0)"]] } ?? [:]
            return (name, try SoundingCore(name, pulse: pulse, settings: settings))
        }
        cores = Dictionary(uniqueKeysWithValues: made)
        link = try cores["c"]?.host("room") ?? ""
        try self["a"].join(link)
        try self["b"].join(link)
        if codecs.isEmpty { for core in cores.values { try #require(try core.waitForPeople(2)) } }
    }

    subscript(name: String) -> SoundingCore {
        get throws { try #require(cores[name]) }
    }

    func ear(_ name: String) throws -> Ear {
        try Ear(pulse, at: name, tones: Self.tones)
    }

    /// Ends a core as a crash would.
    func kill(_ name: String) throws {
        Glibc.kill(try #require(try self[name].program.corePID), SIGKILL)
    }
}
