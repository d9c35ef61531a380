import Glibc

/// Measures of what was played.
enum Sound {
    /// Frequency by rising zero crossings.
    static func frequency(of samples: [Float]) -> Double {
        var first: Double?
        var last = 0.0
        var count = 0
        for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
            let fraction = Double(samples[index - 1] / (samples[index - 1] - samples[index]))
            last = Double(index - 1) + fraction
            if first == nil { first = last } else { count += 1 }
        }
        guard let first, count > 0 else { return 0 }
        return Double(count) / (last - first) * 48_000
    }

    static func rms(_ samples: [Float]) -> Float {
        let sum = samples.reduce(Float(0)) { $0 + $1 * $1 }
        return samples.isEmpty ? 0 : (sum / Float(samples.count)).squareRoot()
    }

    /// The largest second difference: for a sine of amplitude a it is a·(2π·f/48000)², and a click stands out of it.
    static func roughness(of samples: [Float]) -> Float {
        guard samples.count > 2 else { return 0 }
        var largest: Float = 0
        for index in 1..<samples.count - 1 {
            let bend = samples[index - 1] - 2 * samples[index] + samples[index + 1]
            largest = max(largest, abs(bend))
        }
        return largest
    }

    static func roughness(ofToneHz frequency: Double, amplitude: Double = 0.5) -> Float {
        let step = 2 * Double.pi * frequency / 48_000
        return Float(amplitude * step * step)
    }

    /// The power of one frequency against the whole (Goertzel), 0…1.
    static func purity(of samples: [Float], at frequency: Double) -> Double {
        let step = 2 * Double.pi * frequency / 48_000
        var real = 0.0
        var imaginary = 0.0
        var power = 0.0
        for (index, sample) in samples.enumerated() {
            real += Double(sample) * cos(step * Double(index))
            imaginary += Double(sample) * sin(step * Double(index))
            power += Double(sample) * Double(sample)
        }
        return power > 0 ? 2 * (real * real + imaginary * imaginary) / Double(samples.count) / power : 0
    }
}
