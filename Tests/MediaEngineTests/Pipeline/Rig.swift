import Glibc
import MediaEngine
import Primitives
import Synchronization

/// A pipeline on a virtual clock: the test is the device and the engine thread.
final class Rig {
    let pipeline: AudioPipeline
    let rings = Bell()
    private(set) var now = MonoTime.zero + .seconds(1)
    private(set) var packets: [(header: SentAudio, payload: [UInt8])] = []
    private(set) var report = AudioReport()
    private(set) var streams: [StreamReport] = []
    private(set) var reportCount = 0
    var captureLatency = Duration.milliseconds(10)
    var playbackLatency = Duration.milliseconds(20)

    init(streamCapacity: Int = 4, isMuted: Bool = false) {
        let bell = rings
        pipeline = AudioPipeline(streamCapacity: streamCapacity, isMuted: isMuted) { bell.ring() }
    }

    /// One tick of the device: a frame captured and one played. Returns what is played.
    @discardableResult
    func tick(_ sample: (Int) -> Float = { _ in 0 }) -> [Float] {
        capture(sample)
        let frame = render()
        now += .milliseconds(10)
        drain()
        return frame
    }

    func run(frames: Int, _ sample: (Int) -> Float = { _ in 0 }) -> [Float] {
        (0..<frames).flatMap { frame in tick { sample(frame * 480 + $0) } }
    }

    func capture(_ sample: (Int) -> Float) {
        let frame = (0..<480).map(sample)
        frame.withUnsafeBufferPointer { pipeline.captured($0, latency: captureLatency, at: now) }
    }

    func render() -> [Float] {
        var frame = [Float](repeating: .nan, count: 480)
        frame.withUnsafeMutableBufferPointer { pipeline.render(into: $0, latency: playbackLatency, at: now) }
        return frame
    }

    func wait(_ duration: Duration) {
        now += duration
    }

    func drain() {
        pipeline.drain { header, payload in
            packets.append((header, Array(payload)))
        } report: { report, streams in
            self.report = report
            self.streams = Array(streams)
            reportCount += 1
        }
    }

    func forgetPackets() {
        packets = []
    }

    static func tone(_ frequency: Double = 440, amplitude: Double = 0.25) -> (Int) -> Float {
        { Float(amplitude * sin(2 * Double.pi * frequency * Double($0) / 48_000)) }
    }
}

/// Counts rings of the doorbell.
final class Bell: Sendable {
    private let rung = Atomic<Int>(0)

    func ring() {
        rung.wrappingAdd(1, ordering: .relaxed)
    }

    var count: Int {
        rung.load(ordering: .relaxed)
    }
}

/// Sends each frame as it is: 16-bit samples.
final class PlainEncoder: AudioEncoder {
    let frameSampleCount: Int
    private(set) var settings = AudioEncoderSettings()
    var isQuiet = false

    init(frameSampleCount: Int = 960) {
        self.frameSampleCount = frameSampleCount
    }

    /// Every tenth sample, so that it fits into a packet.
    func encode(
        _ frame: UnsafeBufferPointer<Float>, mayPause: Bool, into payload: UnsafeMutableRawBufferPointer
    ) -> Int {
        guard !isQuiet else { return 0 }
        for index in 0..<(frame.count / 10) {
            payload.storeBytes(of: Int16(frame[index * 10] * 32_767), toByteOffset: index * 2, as: Int16.self)
        }
        return frame.count / 10 * 2
    }

    func apply(_ settings: AudioEncoderSettings) {
        self.settings = settings
    }
}

/// Plays what the test tells it, and remembers its packets.
final class PlainSource: PlayoutSource {
    let presentedTimestamp: UInt32? = nil
    var syncDelay = Duration.zero
    var sample: (Int) -> Float
    private(set) var packets: [(AudioPacket, [UInt8])] = []
    private(set) var position = 0
    var statistics = AudioReceiverStatistics()
    var onRelease: () -> Void = {}

    init(_ sample: @escaping (Int) -> Float = { _ in 0 }) {
        self.sample = sample
    }

    deinit {
        onRelease()
    }

    func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer) {
        packets.append((packet, Array(payload)))
    }

    func pull(into frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        for index in frame.indices { frame[index] = sample(position + index) }
        position += frame.count
    }
}

/// Remembers what it is asked to do; halves what is captured.
final class PlainProcessor: AudioProcessor {
    private(set) var settings: AudioProcessingSettings?
    private(set) var delays: [Duration] = []
    private(set) var heard: [Float] = []

    func analyzePlayback(_ frame: UnsafeBufferPointer<Float>) {
        heard += frame
    }

    func processCapture(_ frame: UnsafeMutableBufferPointer<Float>, delay: Duration) {
        delays.append(delay)
        for index in frame.indices { frame[index] /= 2 }
    }

    func apply(_ settings: AudioProcessingSettings) {
        self.settings = settings
    }
}

extension AudioPacket {
    static func made(stream: Int32, sequenceNumber: UInt16 = 0) -> AudioPacket {
        AudioPacket(
            stream: stream, payloadType: 111, marker: false, sequenceNumber: sequenceNumber, ssrc: 1, timestamp: 0,
            level: 30, arrival: .zero)
    }
}

func rms(_ samples: some Collection<Float>) -> Double {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))).squareRoot()
}

/// The greatest step between neighbouring samples.
func steepest(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
}
