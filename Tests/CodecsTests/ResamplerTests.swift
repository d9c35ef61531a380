import Codecs
import Testing

@Suite struct ResamplerTests {
    @Test(arguments: [(48_000, 44_100), (44_100, 48_000), (48_000, 16_000), (16_000, 48_000)])
    func toneKeepsFrequencyAndLevel(rates: (Int, Int)) throws {
        let source = Signal.tone(1000, count: rates.0, rate: Double(rates.0))
        let result = try convert(source, from: rates.0, to: rates.1)
        let tail = result[(result.count / 2)...]
        #expect(abs(Signal.amplitude(of: tail, at: 1000, rate: Double(rates.1)) - 0.25) < 0.01)
    }

    @Test func blocksJoinWithoutASeam() throws {
        let source = Signal.tone(440, count: 48_000)
        let whole = try convert(source, from: 48_000, to: 8000, block: 48_000)
        let pieces = try convert(source, from: 48_000, to: 8000, block: 480)
        #expect(whole.count == pieces.count)
        #expect(zip(whole, pieces).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test func resetForgetsTheSound() throws {
        var resampler = try Resampler(fromHz: 8000, toHz: 48_000)
        var output = [Float](repeating: 0, count: 960)
        let loud = [Float](repeating: 1, count: 160)
        let silence = [Float](repeating: 0, count: 160)
        func run(_ input: [Float]) {
            input.withUnsafeBufferPointer { source in
                output.withUnsafeMutableBufferPointer { _ = resampler.process(source, into: $0) }
            }
        }
        run(loud)
        resampler.reset()
        run(silence)
        #expect(output.allSatisfy { $0 == 0 })
    }

    @Test func impossibleRatesAreRefused() {
        #expect(throws: CodecError.self) { _ = try Resampler(fromHz: 0, toHz: 48_000) }
    }

    private func convert(_ source: [Float], from: Int, to: Int, block: Int = 480) throws -> [Float] {
        var resampler = try Resampler(fromHz: from, toHz: to)
        var result: [Float] = []
        var output = [Float](repeating: 0, count: block * 7)
        for start in stride(from: 0, to: source.count, by: block) {
            let input = source[start..<min(start + block, source.count)]
            let moved = input.withUnsafeBufferPointer { samples in
                output.withUnsafeMutableBufferPointer { resampler.process(samples, into: $0) }
            }
            #expect(moved.read == input.count)
            result += output.prefix(moved.written)
        }
        return result
    }
}
