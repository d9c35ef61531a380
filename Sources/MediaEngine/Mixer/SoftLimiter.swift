/// Keeps a mix below full scale without delaying it and without the crackle of clipping.
///
/// Each frame is cut into pieces of half a millisecond. The gain is a line over each piece, low enough for the peaks of
/// the pieces on both sides of every corner; it falls as fast as needed and rises slowly. What a sudden onset leaves
/// above the ceiling in a frame's first piece is bent, not cut.
package struct SoftLimiter: Sendable, BitwiseCopyable {
    /// The peak that the gain aims at (−1 dB).
    package static let ceiling: Float = 0.891
    /// Above this the curve bends; it never reaches 1.
    private static let knee: Float = 0.92
    private static let pieceCount = 20
    /// The factor by which the gain comes back in each piece: 30 dB a second.
    private static let release: Float = 1.00173

    /// The factor at the end of the last frame: 1 when nothing is limited.
    package private(set) var gain: Float = 1

    package init() {}

    package mutating func process(_ frame: UnsafeMutableBufferPointer<Float>) {
        let length = (frame.count + Self.pieceCount - 1) / Self.pieceCount
        guard length > 0 else { return }
        var need = needed(frame, from: 0, length: length)
        var start = 0
        while start < frame.count {
            let next = needed(frame, from: start + length, length: length)
            let recovered = min(1, gain * Self.release)
            let target = min(recovered, min(need, next))
            scale(frame, from: start, length: length, to: target)
            need = next
            start += length
        }
    }

    /// The gain that brings the peak of a piece down to the ceiling. What is not a number becomes silence.
    private func needed(_ frame: UnsafeMutableBufferPointer<Float>, from start: Int, length: Int) -> Float {
        var peak: Float = 0
        for index in start..<max(start, min(start + length, frame.count)) {
            if !frame[index].isFinite { frame[index] = 0 }
            peak = max(peak, abs(frame[index]))
        }
        return peak > Self.ceiling ? Self.ceiling / peak : 1
    }

    private mutating func scale(
        _ frame: UnsafeMutableBufferPointer<Float>, from start: Int, length: Int, to target: Float
    ) {
        let end = min(start + length, frame.count)
        let step = (target - gain) / Float(end - start)
        if step == 0, gain == 1 { return }
        for index in start..<end {
            gain += step
            frame[index] = Self.bend(frame[index] * gain)
        }
        gain = target
    }

    /// The identity up to the knee, then a curve of the same slope that approaches 1.
    private static func bend(_ sample: Float) -> Float {
        let excess = (abs(sample) - knee) / (1 - knee)
        guard excess > 0 else { return sample }
        let bent = knee + (1 - knee) * excess / (1 + excess)
        return sample < 0 ? -bent : bent
    }
}
