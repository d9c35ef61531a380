import Glibc

/// Looks for pilot tones in a stretch of sound: each one's level against the sound beside it (Goertzel's filter).
struct PilotDetector {
    let pilotsHz: [Double]
    private static let rateHz = 48_000.0
    /// How far above its neighbourhood a pilot has to stand, in power.
    private static let threshold = 10.0
    private static let neighboursHz = [-95.0, -80, -65, -50, -35, 35, 50, 65, 80, 95]

    /// Which pilots are in `samples` (at least 100 ms of 48 kHz sound).
    func pilots(in samples: [Float]) -> [Bool] {
        pilotsHz.map { hz in
            let beside =
                Self.neighboursHz.map { power(of: samples, atHz: hz + $0) }.reduce(0, +)
                / Double(Self.neighboursHz.count)
            let here = power(of: samples, atHz: hz)
            return here > 1e-7 && here > Self.threshold * beside
        }
    }

    /// The mean square of the component at `hz`, seen through a Hann window.
    private func power(of samples: [Float], atHz hz: Double) -> Double {
        let coefficient = 2 * cos(2 * .pi * hz / Self.rateHz)
        var last = 0.0
        var beforeLast = 0.0
        let step = 2 * .pi / Double(max(samples.count, 1))
        for (index, sample) in samples.enumerated() {
            let window = 0.5 - 0.5 * cos(step * Double(index))
            let value = Double(sample) * window + coefficient * last - beforeLast
            (beforeLast, last) = (last, value)
        }
        let energy = last * last + beforeLast * beforeLast - coefficient * last * beforeLast
        let amplitude = 4 * energy.squareRoot() / Double(max(samples.count, 1))
        return amplitude * amplitude / 2
    }
}
