import Glibc
import MediaEngine
import Primitives
import Testing

@Suite struct SoftLimiterTests {
    @Test func quietSoundIsUntouched() {
        let tone = sine(0.8, count: 4800)
        #expect(limited(tone) == tone)
    }

    @Test(arguments: [1.0, 2, 4, 20])
    func loudSoundIsNeverClipped(amplitude: Double) {
        let result = limited(sine(amplitude, count: 48_000))
        #expect(result.allSatisfy { abs($0) < 1 })
        let settled = result[24_000...].map(abs).max() ?? 0
        #expect(settled < 0.93 && settled > 0.8)
    }

    @Test func loudToneStaysATone() {
        let result = Array(limited(sine(3, count: 48_000))[24_000...])
        let fundamental = component(result, at: 440)
        for harmonic in [880.0, 1320, 2200] {
            #expect(component(result, at: harmonic) < fundamental / 100)
        }
    }

    @Test func suddenOnsetDoesNotClip() {
        for offset in [0, 1, 23, 24, 100, 479] {
            var samples = [Float](repeating: 0, count: 960)
            for index in (480 + offset)..<960 { samples[index] = index % 2 == 0 ? 3.9 : -3.9 }
            #expect(limited(samples).allSatisfy { abs($0) < 1 })
        }
    }

    @Test func gainComesBackSlowly() {
        var limiter = SoftLimiter()
        var loud = sine(4, count: 480)
        loud.withUnsafeMutableBufferPointer { limiter.process($0) }
        let low = limiter.gain
        #expect(low < 0.3)
        var quiet = sine(0.1, count: 480)
        quiet.withUnsafeMutableBufferPointer { limiter.process($0) }
        #expect(limiter.gain > low && limiter.gain < low + 0.15)
        for _ in 0..<100 {
            quiet = sine(0.1, count: 480)
            quiet.withUnsafeMutableBufferPointer { limiter.process($0) }
        }
        #expect(limiter.gain > 0.99)
    }

    @Test func gainChangesAreSmooth() {
        let result = limited(sine(0.5, count: 4800) + sine(3, count: 4800) + sine(0.5, count: 4800))
        let steps = zip(result, result.dropFirst()).map { abs($0 - $1) }
        #expect(steps.max() ?? 1 < 0.35)
    }

    @Test func nonsenseBecomesSilence() {
        let result = limited([.nan, .infinity, -.infinity] + [Float](repeating: 0.1, count: 477))
        #expect(result.prefix(3).allSatisfy { $0 == 0 })
        #expect(result.allSatisfy { $0.isFinite })
    }

    private func sine(_ amplitude: Double, count: Int) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * Double.pi * 440 * Double($0) / 48_000)) }
    }

    private func component(_ samples: [Float], at frequency: Double) -> Double {
        var real = 0.0
        var imaginary = 0.0
        for (index, sample) in samples.enumerated() {
            real += Double(sample) * cos(2 * Double.pi * frequency * Double(index) / 48_000)
            imaginary += Double(sample) * sin(2 * Double.pi * frequency * Double(index) / 48_000)
        }
        return (real * real + imaginary * imaginary).squareRoot()
    }

    private func limited(_ samples: [Float]) -> [Float] {
        var limiter = SoftLimiter()
        var result = samples
        for start in stride(from: 0, to: samples.count, by: 480) {
            result[start..<min(start + 480, samples.count)].withUnsafeMutableBufferPointer { limiter.process($0) }
        }
        return result
    }
}
