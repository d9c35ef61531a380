import Glibc

/// What a recording of sound holds, in numbers.
package struct ToneMeter: Sendable {
    package var samples: [Float]

    package init(_ samples: [Float]) {
        self.samples = samples
    }

    /// Root mean square over all samples, 0…1.
    package var level: Double {
        guard !samples.isEmpty else { return 0 }
        return (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
    }

    /// The largest magnitude.
    package var peak: Float {
        samples.reduce(0) { max($0, abs($1)) }
    }

    /// The frequency by rising zero crossings, interpolated; 0 where there are fewer than two.
    package var frequencyHz: Double {
        var first: Double?
        var last = 0.0
        var count = 0
        for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
            let place = Double(index - 1) + Double(-samples[index - 1] / (samples[index] - samples[index - 1]))
            if first == nil { first = place } else { count += 1 }
            last = place
        }
        guard let first, count > 0 else { return 0 }
        return Double(count) * 48_000 / (last - first)
    }

    /// The amplitude of the component at `frequencyHz`, by Goertzel's algorithm: 1 for a full-scale sine.
    package func amplitude(atHz frequencyHz: Double) -> Double {
        guard !samples.isEmpty else { return 0 }
        let omega = 2 * Double.pi * frequencyHz / 48_000
        let coefficient = 2 * cos(omega)
        var (before, last) = (0.0, 0.0)
        for sample in samples {
            (before, last) = (last, Double(sample) + coefficient * last - before)
        }
        let power = before * before + last * last - coefficient * before * last
        return 2 * max(power, 0).squareRoot() / Double(samples.count)
    }

    /// The longest run of samples quieter than `threshold`, in samples.
    package func longestSilence(below threshold: Float = 0.001) -> Int {
        var longest = 0
        var run = 0
        for sample in samples {
            run = abs(sample) < threshold ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// Each whole tenth of a second.
    package var tenths: [ToneMeter] {
        stride(from: 0, through: samples.count - 4800, by: 4800).map { ToneMeter(Array(samples[$0..<$0 + 4800])) }
    }

    /// The amplitude at `frequencyHz` in most of the tenths of a second: a buffer that stretches shifts the phase now and
    /// then.
    package func medianAmplitude(atHz frequencyHz: Double) -> Double {
        median { $0.amplitude(atHz: frequencyHz) }
    }

    /// The frequency in most of the tenths of a second.
    package var medianFrequencyHz: Double {
        median(\.frequencyHz)
    }

    private func median(_ figure: (ToneMeter) -> Double) -> Double {
        let figures = tenths.map(figure).sorted()
        return figures.isEmpty ? 0 : figures[figures.count / 2]
    }

    /// The last `count` samples.
    package func suffix(_ count: Int) -> ToneMeter {
        ToneMeter(Array(samples.suffix(count)))
    }

    /// A sine of `seconds`, for a player.
    package static func tone(frequencyHz: Double, amplitude: Float, seconds: Double) -> [Float] {
        (0..<Int(seconds * 48_000)).map { Float(sin(2 * .pi * frequencyHz * Double($0) / 48_000)) * amplitude }
    }
}
