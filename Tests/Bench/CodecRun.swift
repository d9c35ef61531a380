import Codecs
import Foundation
import MediaEngine
import Primitives

/// One clip through the encoder, a simulated link and a receiver, from one sound file into another.
///
/// `codec IN OUT [loss=PERCENT] [burst=PACKETS] [jitter=MS] [delay=MS] [seed=N] [bitrate=BPS] [dtx=0|1]
/// [complexity=0…10] [told=PERCENT] [copies=0…2] [minimum=MS] [reference=0|1] [lead=SECONDS]`: `told` is the loss that the
/// encoder expects, without it the link's, or none where packets carry copies of the ones before (RFC 2198); the
/// reference is a plain libopus receiver that has all the time it wants. The last `lead` seconds of the clip come before
/// it and are left out of what is written: a buffer that has found its delay, as in a call that goes on.
struct CodecRun {
    private let input: String
    private let output: String
    private var options: [String: Double] = [
        "loss": 0, "burst": 1, "jitter": 0, "delay": 20, "seed": 1, "bitrate": 32_000, "dtx": 0, "reference": 0,
        "minimum": 10, "told": -1, "copies": 0, "complexity": 9, "lead": 0,
    ]

    init(arguments: [String]) throws {
        guard arguments.count >= 2 else {
            throw BenchError(description: "codec: two files are needed: codec IN.wav OUT.wav [option=value …]")
        }
        input = arguments[0]
        output = arguments[1]
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=").map(String.init)
            guard parts.count == 2, options[parts[0]] != nil, let value = Double(parts[1]) else {
                throw BenchError(description: "codec: \(argument): no such option; use \(options.keys.sorted())")
            }
            options[parts[0]] = value
        }
    }

    private subscript(name: String) -> Double {
        options[name] ?? 0
    }

    /// Makes the output file. Returns what was counted, as JSON.
    func perform() throws -> String {
        let clip = try WaveFile.read(input)
        let lead = min(Int(self["lead"]) * AudioFormat.rateHz, clip.count)
        let packets = try repeatPayloads(encode(clip.suffix(lead) + clip))
        var link = LossyLink(conditions, seed: UInt64(self["seed"]))
        let sound: [Float]
        let bits = packets.reduce(0) { $0 + $1.byteCount } * 8
        var counted = "\"packets\":\(packets.count),\"kbps\":\(bits / (20 * max(1, packets.count)))"
        if self["reference"] != 0 {
            var receiver = try ReferenceReceiver()
            sound = receiver.receive(packets, through: &link)
            counted += ",\"repaired\":\(receiver.repairedCount)"
        } else {
            let run = try SimulatedCall(packets: packets, link: link, minimumDelayMilliseconds: Int(self["minimum"]))
            sound = run.sound
            link = run.link
            counted += "," + run.counters
        }
        try WaveFile.write(Array(sound.dropFirst(lead)), to: output)
        return "{\(counted),\"lost\":\(link.lostCount)}"
    }

    private var conditions: LossyLink.Conditions {
        var conditions = LossyLink.Conditions()
        conditions.delay = .fractional(seconds: self["delay"] / 1000)
        conditions.jitter = .fractional(seconds: self["jitter"] / 1000)
        let rate = self["loss"] / 100
        if rate > 0 {
            conditions.loss = self["burst"] > 1 ? .bursty(rate: rate, burst: self["burst"]) : .random(rate: rate)
        }
        return conditions
    }

    /// The payloads with the copies of earlier ones that their packets carry.
    private func repeatPayloads(_ payloads: [[UInt8]]) -> [SoundPacket] {
        var repeater = PayloadRepeater()
        return payloads.enumerated().map { index, payload in
            let packed =
                payload.isEmpty
                ? nil
                : payload.withUnsafeBytes {
                    repeater.pack(
                        $0, type: SoundPacket.opus, position: Int64(index) * 960, copies: Int(self["copies"]))
                }
            return SoundPacket(bytes: packed ?? payload, isRedundant: packed != nil)
        }
    }

    /// The clip in frames of 20 ms; an empty one is not sent.
    private func encode(_ samples: [Float]) throws -> [[UInt8]] {
        var settings = AudioEncoderSettings()
        settings.bitrate = Int(self["bitrate"])
        settings = RedundancyPolicy.settings(settings, copies: Int(self["copies"]))
        let told = self["copies"] > 0 ? 0 : self["loss"]
        settings.expectedLossPercent = Int(self["told"] < 0 ? told : self["told"])
        settings.usesDTX = self["dtx"] != 0
        var codec = OpusEncoder.Options()
        codec.complexity = Int(self["complexity"])
        let encoder = try OpusEncoder(codec, settings: settings)
        let size = encoder.frameSampleCount
        var payload = [UInt8](repeating: 0, count: AudioFormat.maximumPayloadByteCount)
        // As the program does: of frames of 10 ms.
        var conversation = VoiceActivity(hangover: 120)
        return stride(from: 0, to: samples.count - size + 1, by: size).map { begin in
            let count = samples[begin..<begin + size].withUnsafeBufferPointer { frame in
                let parts = [frame[..<(size / 2)], frame[(size / 2)...]]
                let isTalking = parts.map { conversation.receive(AudioLevel(of: UnsafeBufferPointer(rebasing: $0))) }
                return payload.withUnsafeMutableBytes {
                    encoder.encode(frame, mayPause: !isTalking.contains(true), into: $0)
                }
            }
            return Array(payload[..<count])
        }
    }
}
