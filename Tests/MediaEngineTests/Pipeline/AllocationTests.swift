import CAllocationCounter
import Codecs
import MediaEngine
import Primitives
import Testing

/// What the audio thread takes from the allocator in steady state, counted call by call.
@Suite(.enabled(if: callocationcounter_works())) struct AllocationTests {
    @Test func steadyStateAllocatesNothing() throws {
        let rig = try CountingRig {
            AudioReceiver(decoders: [.init(payloadType: 111, decoder: try OpusDecoder(), rtpClockRateHz: 48_000)])
        }
        _ = rig.count(frames: 200)
        #expect(rig.count(frames: 1000) == 0)
    }

    @Test func oneAllocationAFrameIsSeen() throws {
        let rig = try CountingRig(AllocatingSource.init)
        _ = rig.count(frames: 200)
        #expect(rig.count(frames: 1000) >= 1000)
    }
}

/// Three lossy streams, an Opus encoder with redundancy, mutes and gains that change, a recording: all that a call does.
private final class CountingRig {
    private let pipeline = AudioPipeline(streamCapacity: 8) {}
    private var now = MonoTime.zero
    private let recording = RecordingTap()
    private let feed = SoundFeed()
    private var streams: [Int32] = []
    private var payloads: [[UInt8]] = []
    private var sequenceNumber: UInt16 = 100
    private var generator = SplitMix64(seed: 3)
    private var captured = [Float](repeating: 0, count: 480)
    private var played = [Float](repeating: 0, count: 480)

    init(_ makeSource: () throws -> any PlayoutSource) throws {
        for _ in 0..<3 {
            if let number = pipeline.addStream(try makeSource()) { streams.append(number) }
        }
        var settings = AudioEncoderSettings()
        settings.expectedLossPercent = 10
        pipeline.setEncoder(try OpusEncoder(settings: settings))
        pipeline.setRecording(recording)
        pipeline.setFeed(feed)
    }

    /// Allocations in the device's calls; what the engine thread does between them is not counted.
    func count(frames: Int) -> Int {
        var total = 0
        for frame in 0..<frames {
            work(frame)
            for index in captured.indices { captured[index] = Float(0.1 * generator.normal()) }
            callocationcounter_start()
            captured.withUnsafeBufferPointer { pipeline.captured($0, latency: .milliseconds(10), at: now) }
            played.withUnsafeMutableBufferPointer {
                pipeline.render(into: $0, latency: .milliseconds(20), at: now)
            }
            total += callocationcounter_stop()
            now += .milliseconds(10)
        }
        return total
    }

    private func work(_ frame: Int) {
        pipeline.drain { _, payload in
            payloads.append(Array(payload))
        } report: { _, _ in
        }
        while recording.frames.pop() != nil {}
        captured.withUnsafeBufferPointer { feed.append($0, due: now) }
        if frame % 2 == 0 { deliver() }
        if frame % 50 == 10 { pipeline.setMuted(frame % 100 == 10) }
        if frame % 30 == 0 { pipeline.setGain(PlaybackGain(percent: Double(frame % 400)), stream: streams[0]) }
        if frame % 200 == 0 { pipeline.play(.joined) }
    }

    /// The next packet for every stream, one in twelve lost and one in twelve 60 ms late.
    private func deliver() {
        guard let payload = payloads.last else { return }
        sequenceNumber &+= 1
        for stream in streams {
            let fate = generator.next() % 12
            if fate == 0 { continue }
            var packet = AudioPacket.made(stream: stream, sequenceNumber: sequenceNumber &- (fate == 1 ? 3 : 0))
            packet.timestamp = UInt32(packet.sequenceNumber) &* 960
            packet.arrival = now
            payload.withUnsafeBytes { _ = pipeline.deliver(packet, payload: $0) }
        }
    }
}

private final class AllocatingSource: PlayoutSource {
    let presentedTimestamp: UInt32? = nil
    var syncDelay = Duration.zero
    var statistics = AudioReceiverStatistics()
    private var kept: [Float] = []

    func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer) {}

    func pull(into frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        kept = [Float](repeating: 0, count: frame.count)
        for index in frame.indices { frame[index] = kept[index] }
    }
}
