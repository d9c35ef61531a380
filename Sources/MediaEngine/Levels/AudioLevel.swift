import Primitives

/// The level of sound against overload, in dBov: the RMS of a square wave of full scale is 0, digital silence −127
/// (RFC 6464, section 3).
package struct AudioLevel: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// −127…0.
    package var dBov: Float

    /// `dBov` is brought into −127…0; what is not a number is silence.
    package init(dBov: Float) {
        self.dBov = dBov.isNaN ? -127 : dBov.clamped(to: -127...0)
    }

    package static let silence = AudioLevel(dBov: -127)

    /// The level of a sound of `energy` (sum of squares) in `sampleCount` samples.
    package init(energy: Float, sampleCount: Int) {
        guard energy > 0, sampleCount > 0 else {
            self = .silence
            return
        }
        let power = Double(energy) / Double(sampleCount)
        self.init(dBov: Float(decibels(amplitude: power.squareRoot())))
    }

    /// The RMS level of `frame`.
    package init(of frame: UnsafeBufferPointer<Float>) {
        self.init(energy: Self.energy(of: frame), sampleCount: frame.count)
    }

    /// From the 7 bits of the header extension; a value above 127 means that there was none, and counts as silence.
    package init(rfc6464 value: UInt8) {
        dBov = -Float(min(value, 127))
    }

    /// The level as the 7 bits of the header extension, rounded to the nearest: 0 is the loudest, 127 silence.
    package var rfc6464: UInt8 {
        UInt8((-dBov).rounded().clamped(to: 0...127))
    }

    /// The sum of the squares of `frame`.
    package static func energy(of frame: UnsafeBufferPointer<Float>) -> Float {
        var sum: Float = 0
        for sample in frame { sum += sample * sample }
        return sum
    }

    package static func < (left: AudioLevel, right: AudioLevel) -> Bool {
        left.dBov < right.dBov
    }
}
