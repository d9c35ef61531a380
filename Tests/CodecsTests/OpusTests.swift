import Codecs
import MediaEngine
import Primitives
import Testing

@Suite struct OpusTests {
    @Test(arguments: [10, 20, 40, 60])
    func toneKeepsFrequencyAndLevel(milliseconds: Int) throws {
        var link = try Link(milliseconds: milliseconds)
        let heard = link.carry(Signal.tone(440, count: 48_000))
        let tail = heard[24_000...]
        #expect(abs(Signal.decibels(Signal.amplitude(of: tail, at: 440)) - Signal.decibels(0.25)) < 1)
        #expect(Signal.amplitude(of: tail, at: 880) < 0.02)
    }

    @Test func othersFrameDurationsAreRefused() {
        var options = OpusEncoder.Options()
        options.frameDuration = .milliseconds(15)
        #expect(throws: CodecError.self) { try OpusEncoder(options) }
    }

    @Test func frameOfTheWrongLengthIsNotEncoded() throws {
        let encoder = try OpusEncoder()
        var payload = [UInt8](repeating: 0, count: 1275)
        let short = [Float](repeating: 0.1, count: 480)
        let count = short.withUnsafeBufferPointer { frame in
            payload.withUnsafeMutableBytes { encoder.encode(frame, mayPause: true, into: $0) }
        }
        #expect(count == 0)
    }

    @Test func noRedundancyAtNoLoss() throws {
        var link = try Link()
        var speech = SpeechLike(seed: 1)
        _ = link.carry(speech.next(96_000))
        #expect(link.payloads.allSatisfy { !link.hasRedundancy($0) })
    }

    @Test func redundancyIsPaidForOnTop() throws {
        func byteCount(expectedLossPercent: Int) throws -> Int {
            var settings = AudioEncoderSettings()
            settings.expectedLossPercent = expectedLossPercent
            settings.usesDTX = false
            var link = try Link(settings: settings)
            var speech = SpeechLike(seed: 5)
            _ = link.carry(speech.next(96_000))
            return link.payloads.reduce(0) { $0 + $1.count }
        }
        let rates = try [0, 5, 10, 30].map { try Double(byteCount(expectedLossPercent: $0)) }
        #expect((1.1...1.35).contains(rates[1] / rates[0]), "\(rates)")
        #expect((1.2...1.65).contains(rates[2] / rates[0]), "\(rates)")
        #expect(rates[3] < 1.1 * rates[2], "\(rates)")
    }

    @Test func silenceIsToldFromSound() throws {
        var settings = AudioEncoderSettings()
        settings.usesDTX = false
        var link = try Link(settings: settings)
        var speech = SpeechLike(seed: 5)
        _ = link.carry([Float](repeating: 0, count: 96_000) + speech.next(96_000))
        #expect(link.payloads.prefix(90).suffix(80).allSatisfy { link.isSilent($0) })
        #expect(link.payloads.suffix(90).filter { !link.isSilent($0) }.count > 60)
    }

    @Test func redundancyRestoresALostFrame() throws {
        var settings = AudioEncoderSettings()
        settings.expectedLossPercent = 20
        settings.usesDTX = false
        var sent = SpeechLike(seed: 2)
        let speech = sent.next(96_000)
        var whole = try Link(settings: settings)
        let reference = whole.carry(speech)
        #expect(whole.payloads.filter { whole.hasRedundancy($0) }.count > whole.payloads.count / 4)

        let lost = try #require((20..<90).first { whole.hasRedundancy(whole.payloads[$0 + 1]) })
        let repaired = try error(of: whole.payloads, losing: lost, against: reference, usingRedundancy: true)
        let concealed = try error(of: whole.payloads, losing: lost, against: reference, usingRedundancy: false)
        #expect(repaired < concealed / 2, "repaired \(repaired), concealed \(concealed)")
    }

    /// The codec's own detector takes a steady tone for noise.
    @Test func aSteadyToneGoesOnBeingSent() throws {
        var link = try Link()
        _ = link.carry(Signal.tone(440, count: 48_000 * 6))
        #expect(link.payloads.allSatisfy { !$0.isEmpty })
    }

    @Test func silenceIsHardlySent() throws {
        var link = try Link()
        _ = link.carry([Float](repeating: 0, count: 48_000 * 4))
        let sent = link.payloads.suffix(150).filter { !$0.isEmpty }
        #expect(sent.count <= 10)
    }

    @Test func silenceIsSentWithoutDiscontinuousTransmission() throws {
        var settings = AudioEncoderSettings()
        settings.usesDTX = false
        var link = try Link(settings: settings)
        _ = link.carry([Float](repeating: 0, count: 48_000 * 2))
        #expect(link.payloads.allSatisfy { !$0.isEmpty })
    }

    @Test func bitrateFollowsTheSettings() throws {
        func byteCount(bitrate: Int) throws -> Int {
            var settings = AudioEncoderSettings()
            settings.bitrate = bitrate
            settings.usesDTX = false
            var link = try Link(settings: settings)
            var speech = SpeechLike(seed: 3)
            _ = link.carry(speech.next(96_000))
            return link.payloads.reduce(0) { $0 + $1.count }
        }
        let low = try byteCount(bitrate: 16_000)
        let high = try byteCount(bitrate: 64_000)
        #expect(Double(high) > 2.5 * Double(low))
        #expect(Double(low) * 8 / 2 < 24_000)
    }

    @Test func theMostThatTheReceiverTakesIsNotExceeded() throws {
        var settings = AudioEncoderSettings()
        settings.usesDTX = false
        settings.maximumBitrate = 12_000
        settings.expectedLossPercent = 10
        var link = try Link(settings: settings)
        var speech = SpeechLike(seed: 3)
        _ = link.carry(speech.next(96_000))
        #expect(link.payloads.reduce(0) { $0 + $1.count } * 8 / 2 < 13_000)
    }

    @Test func steadyNoiseIsSentNowAndThenAndWhatFollowsIsWhole() throws {
        var link = try Link()
        var generator = SplitMix64(seed: 6)
        let noise = (0..<192_000).map { _ in Float.random(in: -0.001...0.001, using: &generator) }
        let heard = link.carry(noise)
        let sent = link.payloads.suffix(150).count { !$0.isEmpty }
        #expect((3...10).contains(sent), "\(sent)")
        #expect(abs(Signal.decibels(Signal.rms(heard.suffix(96_000)) / Signal.rms(noise[...]))) < 6)
        let tone = link.carry(Signal.tone(440, count: 48_000))
        for start in stride(from: 4800, to: 48_000, by: 4800) {
            let level = Signal.amplitude(of: tone[start..<(start + 4800)], at: 440)
            #expect(abs(Signal.decibels(level / 0.25)) < 1)
        }
    }

    @Test func constantBitrateMakesPacketsOfOneLength() throws {
        var settings = AudioEncoderSettings()
        settings.usesDTX = false
        settings.isConstantBitrate = true
        var link = try Link(settings: settings)
        var speech = SpeechLike(seed: 3)
        _ = link.carry(speech.next(96_000))
        #expect(Set(link.payloads.map(\.count)) == [80])
    }

    /// The bandwidth is in the first byte (RFC 6716, table 2).
    @Test(arguments: [(8000, 4000.0), (16_000, 8000), (24_000, 12_000), (44_100, 20_000)])
    func nothingHigherIsCodedThanIsPlayed(rateHz: Int, highest: Double) throws {
        var settings = AudioEncoderSettings()
        settings.bitrate = 64_000
        settings.playbackRateHz = rateHz
        var link = try Link(settings: settings)
        let tones = zip(Signal.tone(500, count: 48_000), Signal.tone(highest * 1.2, count: 48_000)).map { $0 + $1 }
        let tail = link.carry(tones)[24_000...]
        #expect(Signal.amplitude(of: tail, at: 500) > 0.2)
        #expect(Signal.amplitude(of: tail, at: highest * 1.2) < 0.01)
    }

    @Test func malformedPayloadsAreRefused() throws {
        let decoder = try OpusDecoder()
        var samples = [Float](repeating: 0, count: AudioFormat.maximumPacketSampleCount)
        var generator = SplitMix64(seed: 4)
        for length in 0..<200 {
            let payload = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            payload.withUnsafeBytes { bytes in
                let count = samples.withUnsafeMutableBufferPointer { decoder.decode(bytes, into: $0) }
                #expect((0...AudioFormat.maximumPacketSampleCount).contains(count))
                #expect(decoder.sampleCount(of: bytes) >= 0)
                _ = decoder.hasRedundancy(bytes)
                _ = decoder.isSilent(bytes)
                _ = samples.withUnsafeMutableBufferPointer { decoder.decodeRedundancy(in: bytes, into: $0) }
            }
        }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(decoder.sampleCount(of: empty) == 0)
        #expect(samples.withUnsafeMutableBufferPointer { decoder.decode(empty, into: $0) } == 0)
    }

    @Test func concealmentContinuesTheSound() throws {
        var link = try Link()
        _ = link.carry(Signal.tone(300, count: 48_000))
        var samples = [Float](repeating: 0, count: 480)
        let count = samples.withUnsafeMutableBufferPointer { link.decoder.conceal(into: $0) }
        #expect(count == 480)
        #expect(Signal.rms(samples[...]) > 0.05)
    }

    @Test func resetForgetsTheSound() throws {
        var link = try Link()
        _ = link.carry(Signal.tone(300, count: 48_000))
        link.decoder.reset()
        var samples = [Float](repeating: 0, count: 480)
        _ = samples.withUnsafeMutableBufferPointer { link.decoder.conceal(into: $0) }
        #expect(Signal.rms(samples[...]) < 0.001)
    }

    /// The energy of the difference in the lost frame.
    private func error(
        of payloads: [[UInt8]], losing lost: Int, against reference: [Float], usingRedundancy: Bool
    ) throws -> Double {
        let decoder = try OpusDecoder()
        var frame = [Float](repeating: 0, count: 960)
        for (index, payload) in payloads.prefix(lost + 1).enumerated() {
            frame.withUnsafeMutableBufferPointer { samples in
                if index == lost {
                    payloads[lost + 1].withUnsafeBytes { next in
                        let count =
                            usingRedundancy
                            ? decoder.decodeRedundancy(in: next, into: samples) : decoder.conceal(into: samples)
                        #expect(count == 960)
                    }
                } else {
                    payload.withUnsafeBytes { _ = decoder.decode($0, into: samples) }
                }
            }
        }
        let expected = reference[(lost * 960)..<((lost + 1) * 960)]
        return zip(frame, expected).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    }
}

/// An encoder, its payloads, and a decoder that hears them all.
private struct Link {
    let encoder: OpusEncoder
    let decoder: OpusDecoder
    var payloads: [[UInt8]] = []

    init(milliseconds: Int = 20, settings: AudioEncoderSettings = AudioEncoderSettings()) throws {
        var options = OpusEncoder.Options()
        options.frameDuration = .milliseconds(milliseconds)
        encoder = try OpusEncoder(options, settings: settings)
        decoder = try OpusDecoder()
    }

    mutating func carry(_ samples: [Float]) -> [Float] {
        var heard: [Float] = []
        var payload = [UInt8](repeating: 0, count: AudioFormat.maximumPayloadByteCount)
        var decoded = [Float](repeating: 0, count: encoder.frameSampleCount)
        for start in stride(from: 0, to: samples.count - encoder.frameSampleCount + 1, by: encoder.frameSampleCount) {
            let count = samples[start..<(start + encoder.frameSampleCount)].withUnsafeBufferPointer { frame in
                payload.withUnsafeMutableBytes { encoder.encode(frame, mayPause: true, into: $0) }
            }
            payloads.append(Array(payload.prefix(count)))
            let written = payload.prefix(count).withUnsafeBytes { bytes in
                decoded.withUnsafeMutableBufferPointer { samples in
                    count > 0 ? decoder.decode(bytes, into: samples) : decoder.conceal(into: samples)
                }
            }
            heard += decoded.prefix(written)
        }
        return heard
    }

    func hasRedundancy(_ payload: [UInt8]) -> Bool {
        payload.withUnsafeBytes { decoder.hasRedundancy($0) }
    }

    func isSilent(_ payload: [UInt8]) -> Bool {
        payload.withUnsafeBytes { decoder.isSilent($0) }
    }
}
