package import Primitives

/// A client that rings, for a device of its own, from its first frame to its last.
///
/// Lives on the audio thread of the device that it is given to.
package final class RingTone: AudioClient, @unchecked Sendable {
    // unchecked: made on the engine thread and touched by one audio thread alone from then on.
    private var voice = ToneVoice()

    package init() {
        voice.play(.ring)
    }

    package func captured(_ frame: UnsafeBufferPointer<Float>, latency: Duration, at now: MonoTime) {}

    package func render(into frame: UnsafeMutableBufferPointer<Float>, latency: Duration, at now: MonoTime) {
        frame.update(repeating: 0)
        voice.add(to: frame)
    }
}
