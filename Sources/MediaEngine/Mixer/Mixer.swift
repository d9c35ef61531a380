import Primitives

/// Adds up the participants' frames. Keeps each one's part, so that any of them can be given everyone else
/// (mix-minus, where calls are merged).
///
/// All memory is taken in `init`. Sums are not limited: that is the limiter's work, once, at the end.
package final class Mixer {
    private let inputCount: Int
    private let parts: UnsafeMutableBufferPointer<Float>
    private let total: UnsafeMutableBufferPointer<Float>
    /// Whose parts are of this frame; those of others are of earlier ones.
    private let hasPart: UnsafeMutableBufferPointer<Bool>

    /// - Parameter inputCount: how many inputs there can be; they are numbered from 0.
    package init(inputCount: Int) {
        self.inputCount = max(inputCount, 0)
        parts = .allocate(capacity: self.inputCount * AudioFormat.frameSampleCount)
        total = .allocate(capacity: AudioFormat.frameSampleCount)
        hasPart = .allocate(capacity: self.inputCount)
        parts.initialize(repeating: 0)
        total.initialize(repeating: 0)
        hasPart.initialize(repeating: false)
    }

    deinit {
        parts.deallocate()
        total.deallocate()
        hasPart.deallocate()
    }

    /// Begins a frame in which everybody is silent.
    package func clear() {
        hasPart.update(repeating: false)
        total.update(repeating: 0)
    }

    /// Adds 480 samples as the part of `input`, at its gain. At most one frame an input between two `clear`s.
    package func add(_ frame: UnsafeMutableBufferPointer<Float>, gain: inout GainRamp, input: Int) {
        gain.apply(to: frame)
        guard input >= 0, input < inputCount, frame.count == total.count else { return }
        hasPart[input] = true
        let start = input * AudioFormat.frameSampleCount
        for index in frame.indices {
            let sample = frame[index]
            parts[start + index] = sample
            total[index] += sample
        }
    }

    /// Writes the sum of all inputs.
    package func mix(into frame: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<min(frame.count, total.count) { frame[index] = total[index] }
    }

    /// Writes the sum of all inputs but `input`.
    package func mix(without input: Int, into frame: UnsafeMutableBufferPointer<Float>) {
        guard input >= 0, input < inputCount, hasPart[input] else { return mix(into: frame) }
        let start = input * AudioFormat.frameSampleCount
        for index in 0..<min(frame.count, total.count) { frame[index] = total[index] - parts[start + index] }
    }
}
