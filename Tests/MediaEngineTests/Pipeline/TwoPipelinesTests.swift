import Codecs
import Glibc
import MediaEngine
import Primitives
import Testing

/// Two whole audio paths, one after the other, with real codecs and a real jitter buffer between them.
@Suite struct TwoPipelinesTests {
    @Test(arguments: [10, 20, 40, 60])
    func toneArrivesWithItsFrequencyAndLevel(milliseconds: Int) throws {
        let pair = try Pair(milliseconds: milliseconds)
        let heard = pair.run(frames: 200, Rig.tone(440, amplitude: 0.25))
        let tail = Array(heard[48_000...])
        #expect(abs(20 * log10(rms(tail)) + 15.05) < 1)
        #expect(abs(frequency(of: tail) - 440) < 2)
    }

    @Test func g711FillsIn() throws {
        let pair = try Pair(payloadType: 0, encoder: G711Encoder(.mu))
        let heard = pair.run(frames: 200, Rig.tone(1000, amplitude: 0.25))
        let tail = Array(heard[48_000...])
        #expect(abs(20 * log10(rms(tail)) + 15.05) < 1)
        #expect(abs(frequency(of: tail) - 1000) < 3)
    }

    @Test func muteFadesAtTheOtherEnd() throws {
        let pair = try Pair(milliseconds: 20)
        _ = pair.run(frames: 100, Rig.tone())
        pair.near.pipeline.setMuted(true)
        // What is in the jitter buffer still sounds, then concealment fades into noise and the noise ends.
        let heard = pair.run(frames: 200, Rig.tone())
        #expect(rms(heard[14_400...]) < 0.02)
        #expect(heard[60_000...].allSatisfy { $0 == 0 })
        #expect(steepest(heard) < 0.1)
    }

    @Test func twelveSecondsConcealNothingOnACleanLink() throws {
        let pair = try Pair(milliseconds: 20)
        _ = pair.run(frames: 1200, Rig.tone())
        let statistics = try #require(pair.far.streams.first?.statistics)
        #expect(statistics.packetsLost == 0)
        #expect(statistics.concealmentEvents == 0)
        #expect(statistics.currentDelayMilliseconds <= 60)
    }

    /// By the rising zero crossings.
    private func frequency(of samples: [Float]) -> Double {
        let crossings = zip(samples, samples.dropFirst()).enumerated().filter { $0.element.0 < 0 && $0.element.1 >= 0 }
        guard let first = crossings.first?.offset, let last = crossings.last?.offset, last > first else { return 0 }
        return 48_000 * Double(crossings.count - 1) / Double(last - first)
    }
}

private final class Pair {
    let near = Rig()
    let far = Rig()
    private let payloadType: UInt8
    private let clockDivisor: UInt32
    private var stream: Int32 = 0
    private var sequenceNumber: UInt16 = 65_500
    private var position = 0

    convenience init(milliseconds: Int) throws {
        var options = OpusEncoder.Options()
        options.frameDuration = .milliseconds(milliseconds)
        try self.init(payloadType: 111, encoder: OpusEncoder(options))
    }

    init(payloadType: UInt8, encoder: any AudioEncoder) throws {
        self.payloadType = payloadType
        clockDivisor = payloadType == 0 ? 6 : 1
        near.pipeline.setEncoder(encoder)
        let receiver = AudioReceiver(decoders: [
            .init(payloadType: 111, decoder: try OpusDecoder(), rtpClockRateHz: 48_000),
            .init(payloadType: 0, decoder: try G711Decoder(.mu), rtpClockRateHz: 8000),
        ])
        stream = try #require(far.pipeline.addStream(receiver))
    }

    /// What the far side plays while the near side captures `sample`.
    func run(frames: Int, _ sample: (Int) -> Float) -> [Float] {
        (0..<frames).flatMap { _ in
            near.tick { sample(position + $0) }
            position += 480
            for packet in near.packets { carry(packet.header, packet.payload) }
            near.forgetPackets()
            return far.tick()
        }
    }

    private func carry(_ header: SentAudio, _ payload: [UInt8]) {
        var packet = AudioPacket.made(stream: stream, sequenceNumber: sequenceNumber)
        sequenceNumber &+= 1
        packet.payloadType = payloadType
        packet.marker = header.marker
        packet.timestamp = header.timestamp / clockDivisor
        packet.arrival = far.now
        payload.withUnsafeBytes { _ = far.pipeline.deliver(packet, payload: $0) }
    }
}
