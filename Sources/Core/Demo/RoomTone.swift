import Devices
import Primitives

/// The microphone of somebody who says nothing: a quiet room, about −62 dBov.
final class RoomTone: SampleSource, @unchecked Sendable {
    // unchecked: `random` is touched by the device's thread only.
    private var random = SplitMix64(seed: 99)

    func fill(_ frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        for index in frame.indices {
            frame[index] = Float(random.unit() - 0.5) * 0.0028
        }
    }
}
