import Codecs
import MediaEngine
import Testing

@Suite struct G711Tests {
    @Test(arguments: [CompandingLaw.mu, .a])
    func toneKeepsFrequencyAndLevel(law: CompandingLaw) throws {
        let heard = try carry(Signal.tone(1000, count: 48_000), law: law)
        let tail = heard[24_000...]
        #expect(abs(Signal.decibels(Signal.amplitude(of: tail, at: 1000)) - Signal.decibels(0.25)) < 0.3)
    }

    @Test func soundAboveTheBandDoesNotFoldIntoIt() throws {
        let heard = try carry(Signal.tone(6000, count: 48_000), law: .mu)
        #expect(Signal.decibels(Signal.amplitude(of: heard[24_000...], at: 2000)) < -60)
        #expect(Signal.decibels(Signal.rms(heard[24_000...])) < -50)
    }

    @Test func imagesAboveTheBandAreRemoved() throws {
        let heard = try carry(Signal.tone(1000, count: 48_000), law: .a)
        for image in [7000.0, 9000, 15_000, 17_000] {
            #expect(Signal.decibels(Signal.amplitude(of: heard[24_000...], at: image)) < -55)
        }
    }

    @Test func whatIsNoNumberIsSilence() throws {
        let heard = try carry([Float](repeating: .nan, count: 4800), law: .mu)
        #expect(heard.allSatisfy { abs($0) < 0.001 })
    }

    @Test func everyPacketGivesItsWholeTime() throws {
        let encoder = try G711Encoder(.mu, frameDuration: .milliseconds(30))
        #expect(encoder.frameSampleCount == 1440)
        let heard = try carry(Signal.tone(500, count: 14_400), law: .mu, milliseconds: 30)
        #expect(heard.count == 14_400)
    }

    @Test func overlongPayloadIsRefused() throws {
        let decoder = try G711Decoder(.mu)
        var samples = [Float](repeating: 0, count: 960)
        let payload = [UInt8](repeating: 0xFF, count: 161)
        let count = payload.withUnsafeBytes { bytes in
            samples.withUnsafeMutableBufferPointer { decoder.decode(bytes, into: $0) }
        }
        #expect(count == 0)
        let huge = [UInt8](repeating: 0xFF, count: 1275)
        #expect(huge.withUnsafeBytes { decoder.sampleCount(of: $0) } == 0)
    }

    @Test func saysThatItCanNeitherRepairNorConceal() throws {
        let decoder = try G711Decoder(.a)
        var samples = [Float](repeating: 0, count: 960)
        let payload = [UInt8](repeating: 0xD5, count: 160)
        #expect(payload.withUnsafeBytes { !decoder.hasRedundancy($0) })
        #expect(samples.withUnsafeMutableBufferPointer { decoder.conceal(into: $0) } == 0)
    }

    private func carry(_ samples: [Float], law: CompandingLaw, milliseconds: Int = 20) throws -> [Float] {
        let encoder = try G711Encoder(law, frameDuration: .milliseconds(milliseconds))
        let decoder = try G711Decoder(law)
        var heard: [Float] = []
        var payload = [UInt8](repeating: 0, count: 480)
        var decoded = [Float](repeating: 0, count: encoder.frameSampleCount)
        for start in stride(from: 0, to: samples.count - encoder.frameSampleCount + 1, by: encoder.frameSampleCount) {
            let count = samples[start..<(start + encoder.frameSampleCount)].withUnsafeBufferPointer { frame in
                payload.withUnsafeMutableBytes { encoder.encode(frame, mayPause: true, into: $0) }
            }
            let written = payload.prefix(count).withUnsafeBytes { bytes in
                decoded.withUnsafeMutableBufferPointer { decoder.decode(bytes, into: $0) }
            }
            heard += decoded.prefix(written)
        }
        return heard
    }
}
