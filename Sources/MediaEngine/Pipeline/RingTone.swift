package import Primitives
import Synchronization

/// A client that rings, for a device of its own, until it is stopped.
///
/// Its frames are rendered on the audio thread of the device that it is given to; any thread stops it.
package final class RingTone: AudioClient, @unchecked Sendable {
    // unchecked: the voice is made on the engine thread and touched by one audio thread alone from then on.
    private var voice = ToneVoice()
    private let isStopped = Atomic(false)
    /// Nanoseconds of `MonoTime`; 0: not yet.
    private let silent = Atomic<Int64>(0)

    package init() {
        voice.play(.ring)
    }

    /// Fades the ring out.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// When the last of a stopped ring has left the speaker; `nil`: it has not been rendered yet.
    package var silentAt: MonoTime? {
        let time = silent.load(ordering: .relaxed)
        return time == 0 ? nil : .zero + .nanoseconds(time)
    }

    package func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {}

    package func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        frame.update(repeating: 0)
        if isStopped.load(ordering: .relaxed) { voice.stop() }
        voice.add(to: frame)
        if voice.isSilent, silent.load(ordering: .relaxed) == 0 {
            silent.store((now + latency + AudioFormat.frameDuration).nanoseconds, ordering: .relaxed)
        }
    }
}
