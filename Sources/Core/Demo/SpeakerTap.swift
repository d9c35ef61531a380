import Devices
import MediaEngine
import Primitives

/// Carries what a device without hardware plays from its thread to the engine.
final class SpeakerTap: SampleSink {
    private let ring = SPSCRing<MonoTime>(
        capacity: 256, payloadCapacity: AudioFormat.frameSampleCount * MemoryLayout<Float>.size)

    func take(_ frame: UnsafeBufferPointer<Float>, at now: MonoTime) {
        ring.push(now, UnsafeRawBufferPointer(frame))
    }

    /// The frames since the last call, with the time at which the last one was played.
    func drain() -> (samples: [Float], until: MonoTime)? {
        var samples: [Float] = []
        var until: MonoTime?
        while ring.pop({ time, bytes in
            samples += bytes.bindMemory(to: Float.self)
            until = time
        }) {}
        return until.map { (samples, $0) }
    }
}
