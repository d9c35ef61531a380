/// A gain that moves to its target over one frame, so that a change is heard as loudness and not as a click.
package struct GainRamp: Sendable, BitwiseCopyable {
    /// The factor at the end of the last frame.
    package private(set) var current: Float
    /// The factor to reach at the end of the next.
    package var target: Float

    package init(_ gain: Float) {
        current = gain
        target = gain
    }

    /// Whether `apply` would leave nothing of the sound.
    package var isSilent: Bool {
        current == 0 && target == 0
    }

    /// Scales `frame`, from the last factor to the target.
    package mutating func apply(to frame: UnsafeMutableBufferPointer<Float>) {
        let step = (target - current) / Float(max(frame.count, 1))
        var gain = current
        if step == 0 {
            guard gain != 1 else { return }
            for index in frame.indices { frame[index] *= gain }
        } else {
            for index in frame.indices {
                gain += step
                frame[index] *= gain
            }
            current = target
        }
    }
}
