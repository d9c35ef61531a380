import ControlProtocol
import Devices
import Primitives
import TestSupport
import Testing

/// The sound and the picture of a call, by what is heard at the speaker and seen on the screen.
@Suite struct SynchronizedCallTests {
    /// A recording, and when its first sample was sounded: the block that came fastest tells.
    private struct Track {
        let recorder: PulseRecorder
        var samples: [Float] = []
        var begin: MonoTime?

        mutating func take() {
            samples += recorder.record(480)
            let start = MonoTime.now() - .fractional(seconds: Double(samples.count) / 48_000)
            begin = min(begin ?? start, start)
        }

        /// When sound began after 0.3 s of silence.
        var onsets: [MonoTime] {
            guard let begin else { return [] }
            var quiet = 0
            return samples.indices.compactMap { index in
                defer { quiet = abs(samples[index]) < 0.02 ? quiet + 1 : 0 }
                guard quiet > 14_400, abs(samples[index]) >= 0.02 else { return nil }
                return begin + .fractional(seconds: Double(index) / 48_000)
            }
        }
    }

    /// How long sound takes from the mouth to the ear: the median of some beginnings.
    private func soundAge(_ pulse: PrivatePulse) throws -> Double {
        var tracks = try ["a_mic.monitor", "b_spk.monitor"].map {
            Track(recorder: try PulseRecorder(pulse, source: $0))
        }
        for _ in 0..<600 {
            for index in tracks.indices { tracks[index].take() }
        }
        let (spoken, heard) = (tracks[0].onsets, tracks[1].onsets)
        let ages = spoken.compactMap { onset in heard.first { $0 > onset }.map { ($0 - onset).milliseconds } }.sorted()
        return try #require(ages.isEmpty ? nil : ages[ages.count / 2])
    }

    private func pictureAge(_ eye: Eye) throws -> Double {
        let ages = eye.watch(.seconds(2)).compactMap { $0.timecode?.age(at: $0.time).milliseconds }.sorted()
        return try #require(ages.isEmpty ? nil : ages[ages.count / 2])
    }

    @Test func whatIsSaidIsSeen() throws {
        let pulse = try PrivatePulse()
        _ = try pulse.loadMicrophone("a_microphone", of: "a_mic")
        let word = ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 1) + [Float](repeating: 0, count: 48_000)
        let player = try PulsePlayer(pulse, sink: "a_mic", samples: (0..<60).flatMap { _ in word })
        let a = try SoundingCore("a", pulse: pulse)
        let b = try SoundingCore("b", pulse: pulse)
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        try a.call("video.select", ["source": .string("pattern")])
        try a.call("video.mute", ["on": .bool(false)])
        try #require(try b.wait { $0.people.first?.video == .share })
        let eye = try Eye(b, at: b.people[0].id, width: 320, height: 180)
        var skews: [Double] = []
        // A busy machine shows pictures late, which the sound then waits for.
        for _ in 0..<6 where !skews.suffix(1).contains(where: { (-125...45).contains($0) }) {
            skews.append(try pictureAge(eye) - soundAge(pulse))
        }
        print("picture behind sound: \(skews) ms")
        #expect((-125...45).contains(skews.last ?? .nan), "\(skews)")
        let streams = try b.streams("inbound-rtp")
        let playouts = ["audio", "video"].map { kind in
            streams.first { $0["kind"] == .string(kind) }?["estimatedPlayoutTimestamp"]?.doubleValue
        }
        #expect(playouts.allSatisfy { $0 != nil })
        withExtendedLifetime(player) {}
    }
}
