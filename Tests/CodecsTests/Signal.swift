import Glibc

/// Sound made and measured for the tests.
enum Signal {
    /// A sine of `frequency` Hz at `amplitude`, beginning at sample `start`.
    static func tone(_ frequency: Double, amplitude: Double = 0.25, count: Int, rate: Double = 48_000, start: Int = 0)
        -> [Float]
    {
        (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0 + start) / rate)) }
    }

    /// The amplitude of the component at `frequency` (Goertzel's sum over the whole).
    static func amplitude(of samples: ArraySlice<Float>, at frequency: Double, rate: Double = 48_000) -> Double {
        var real = 0.0
        var imaginary = 0.0
        for (index, sample) in samples.enumerated() {
            let angle = 2 * .pi * frequency * Double(index) / rate
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(samples.count, 1))
    }

    static func rms(_ samples: ArraySlice<Float>) -> Double {
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(max(samples.count, 1))).squareRoot()
    }

    /// Decibels of `value` against full scale.
    static func decibels(_ value: Double) -> Double {
        20 * log10(max(value, 1e-9))
    }
}
