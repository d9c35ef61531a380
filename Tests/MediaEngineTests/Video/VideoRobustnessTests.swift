import MediaEngine
import Primitives
import RTP
import Testing

/// No bytes whatever make the receiver trap or fill the memory.
@Suite struct VideoRobustnessTests {
    private static let types: [PayloadType: VideoCodec] = [PayloadType(96): .vp8, PayloadType(98): .vp9]

    private func makeReceiver() -> VideoReceiver {
        var configuration = VideoReceiver.Configuration(codecs: Self.types)
        configuration.retransmissions = [PayloadType(97): PayloadType(96), PayloadType(99): PayloadType(98)]
        return VideoReceiver(configuration)
    }

    private func packet(_ number: UInt16, timestamp: UInt32, payload: [UInt8], marker: Bool = false) -> [UInt8] {
        RTPPacket.bytes(
            RTPHeader(
                marker: marker, payloadType: PayloadType(96), sequenceNumber: SequenceNumber(number),
                timestamp: timestamp, ssrc: SSRC(1)), payload: payload) ?? []
    }

    private func corpus() -> [[UInt8]] {
        var corpus: [[UInt8]] = []
        for codec in VideoCodec.allCases {
            var random = SplitMix64(seed: 1)
            let type = PayloadType(codec == .vp8 ? 96 : 98)
            let origin = StreamOrigin(using: &random)
            var stream = RTPSendStream(origin: origin, payloadType: type, clockRateHz: 90_000)
            let repeated = RTPSendStream(
                origin: StreamOrigin(using: &random), payloadType: PayloadType(type.rawValue + 1), clockRateHz: 90_000)
            var sender = VideoSender(.init(codec: codec), retransmission: repeated, using: &random)
            for index in 0..<12 {
                let time = MonoTime.zero + .milliseconds(33 * index)
                var frame = VideoPair.modelFrame(index, time, index == 0)
                frame.bytes = Array(frame.bytes.prefix(1500))
                corpus += sender.send(frame, capturedAt: time, through: &stream, at: time).map(\.bytes)
            }
            let numbers = (0..<8).map { origin.sequenceNumber + $0 }
            corpus += sender.retransmit(numbers, roundTrip: nil, at: .zero + .milliseconds(400)).map(\.bytes)
        }
        return corpus
    }

    @Test func twentyThousandMutatedPacketsAreTakenOrDropped() {
        let corpus = corpus()
        var random = SplitMix64(seed: 12)
        var receiver = makeReceiver()
        var now = MonoTime.zero
        for round in 0..<20_000 {
            var bytes = corpus[round % corpus.count]
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<min(bytes.count, 40), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.removeSubrange(place...)
                case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
                default: bytes[place] = .random(in: 0...255, using: &random)
                }
            }
            now += .milliseconds(Int(random.next() % 20))
            var out = Outbox<VideoReceiver.Event>()
            receiver.receive(bytes.span.bytes, at: now, into: &out)
            for case .frame(let frame) in out.events where random.unit() < 0.1 {
                _ = frame
                receiver.decodingFailed(at: now)
            }
        }
        #expect(receiver.counters.malformedPacketCount > 0 && receiver.counters.framesReceived > 0)
    }

    @Test func aFloodOfPacketsWithoutAnEndIsBounded() {
        var receiver = makeReceiver()
        var asked = 0
        for number in 0..<20_000 {
            var out = Outbox<VideoReceiver.Event>()
            let payload = [UInt8(0x00), 0x01] + [UInt8](repeating: 0, count: 1000)
            let bytes = packet(UInt16(truncatingIfNeeded: number), timestamp: 1, payload: payload)
            receiver.receive(bytes.span.bytes, at: .zero + .milliseconds(number), into: &out)
            asked += out.events.count { $0 == .keyFrameNeeded }
        }
        #expect(receiver.bufferedByteCount <= 5_000_000 && receiver.bufferedPacketCount <= 2048)
        #expect((1...110).contains(asked), "at most one request each 200 ms: \(asked)")
    }

    @Test func framesThatNothingCanDecodeAreBounded() {
        var receiver = makeReceiver()
        for number in 0..<5000 {
            var out = Outbox<VideoReceiver.Event>()
            let payload = [UInt8(0x90), 0x80, 0x80 | UInt8(number >> 8 & 0x7F), UInt8(number & 0xFF), 0x01, 0, 0]
            let bytes = packet(
                UInt16(truncatingIfNeeded: number), timestamp: UInt32(number) * 3000, payload: payload, marker: true)
            receiver.receive(bytes.span.bytes, at: .zero + .milliseconds(33 * number), into: &out)
            #expect(!out.events.contains { if case .frame = $0 { true } else { false } })
        }
        #expect(receiver.bufferedFrameCount <= 128 && receiver.counters.framesDropped > 4000)
    }

    @Test func hugeGapsAreNotAskedFor() {
        var receiver = makeReceiver()
        var asked = 0
        for number in [UInt16(0), 30_000, 60_000, 24_000] {
            var out = Outbox<VideoReceiver.Event>()
            let bytes = packet(number, timestamp: UInt32(number), payload: [0x10, 0x11, 0, 0], marker: true)
            receiver.receive(bytes.span.bytes, at: .zero + .seconds(Int(number)), into: &out)
            for case .missing(let numbers) in out.events { asked += numbers.count }
        }
        #expect(asked == 0)
    }
}
