import Codecs
import Glibc
import MediaEngine
import Primitives
import Testing

/// The receiver with the codec of real calls.
@Suite struct OpusReceiverTests {
    private func rig(
        loss: Double, expectedLossPercent: Int, usesDTX: Bool = false, jitter: Int = 0, seed: UInt64 = 1,
        signal: @escaping (Int) -> Float
    ) throws -> ReceiverRig {
        var conditions = LossyLink.Conditions()
        conditions.loss = loss > 0 ? .random(rate: loss) : .none
        conditions.delay = .milliseconds(40)
        conditions.jitter = .milliseconds(jitter)
        var settings = AudioEncoderSettings()
        settings.expectedLossPercent = expectedLossPercent
        settings.usesDTX = usesDTX
        var options = OpusEncoder.Options()
        options.complexity = 3
        let encoder = try OpusEncoder(options, settings: settings)
        let rig = ReceiverRig(
            conditions, seed: seed,
            decoders: [
                AudioDecoderEntry(
                    payloadType: ReceiverRig.payloadType, decoder: try OpusDecoder(), rtpClockRateHz: 48_000)
            ])
        rig.makePayload = { first in
            let frame = (0..<960).map { signal(first + $0) }
            var payload = [UInt8](repeating: 0, count: AudioFormat.maximumPayloadByteCount)
            let count = frame.withUnsafeBufferPointer { frame in
                payload.withUnsafeMutableBytes { encoder.encode(frame, mayPause: true, into: $0) }
            }
            return Array(payload[..<count])
        }
        return rig
    }

    private func tone(_ index: Int) -> Float {
        Float(0.5 * sin(2 * .pi * 440 * Double(index) / 48_000))
    }

    /// A voice-like sound: harmonics of 120 Hz whose strength rises and falls.
    private func voice(_ index: Int) -> Float {
        let time = Double(index) / 48_000
        let strength = 0.6 + 0.4 * sin(2 * .pi * 3 * time)
        let harmonics = (1...8).reduce(0.0) { $0 + sin(2 * .pi * 120 * Double($1) * time) / Double($1) }
        return Float(0.2 * strength * harmonics)
    }

    @Test func aTonePassesUnharmed() throws {
        let rig = try rig(loss: 0, expectedLossPercent: 0, signal: tone)
        rig.settle(seconds: 2)
        let sound = rig.run(seconds: 3)
        #expect(abs(Sound.frequency(of: sound) - 440) < 0.5)
        #expect(Sound.purity(of: sound, at: 440) > 0.95)
        #expect(rig.statistics.concealedSamples == 0)
    }

    @Test func inBandRedundancyLeavesLittleOfATenthToConceal() throws {
        let plain = try rig(loss: 0.1, expectedLossPercent: 0, signal: voice)
        let redundant = try rig(loss: 0.1, expectedLossPercent: 20, signal: voice)
        plain.settle(seconds: 15)
        redundant.settle(seconds: 15)
        #expect(redundant.statistics.packetsRepaired > 40)
        #expect(redundant.statistics.concealedSamples < plain.statistics.concealedSamples / 2)
        #expect(plain.statistics.fecPacketsReceived == 0)
    }

    @Test func lossAndJitterMakeNoClicks() throws {
        let rig = try rig(loss: 0.05, expectedLossPercent: 0, jitter: 10, signal: tone)
        rig.settle(seconds: 2)
        let sound = rig.run(seconds: 15)
        #expect(Sound.roughness(of: sound) < 8 * Sound.roughness(ofToneHz: 440))
        #expect(abs(Sound.frequency(of: sound) - 440) < 4)
    }

    @Test func silenceThatIsNotSentIsNoLoss() throws {
        let rig = try rig(loss: 0, expectedLossPercent: 0, usesDTX: true) { index in
            index / 96_000 % 2 == 0 ? self.tone(index) : 0
        }
        let sound = rig.run(seconds: 20)
        #expect(rig.sentCount < 700)
        #expect(Double(rig.statistics.concealedSamples) / Double(sound.count) < 0.002)
        #expect(rig.statistics.packetsLost == 0)
        #expect(rig.statistics.currentDelayMilliseconds < 40)
    }
}
