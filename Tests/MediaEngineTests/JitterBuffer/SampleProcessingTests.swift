import Glibc
import Testing

@testable import MediaEngine

/// Stretching, concealing and joining, sample by sample.
@Suite struct SampleProcessingTests {
    private func tone(_ frequency: Double, count: Int, from first: Int = 0) -> [Float] {
        (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double(first + $0) / 48_000)) }
    }

    /// What a buffer holds after `history` was played from it.
    private func buffer(history: [Float], next: [Float]) -> PlayoutBuffer {
        var buffer = PlayoutBuffer()
        (history + next).withUnsafeBufferPointer { buffer.append($0) }
        _ = play(history.count, of: &buffer)
        return buffer
    }

    private func play(_ count: Int, of buffer: inout PlayoutBuffer) -> [Float] {
        var samples = [Float](repeating: .nan, count: count)
        samples.withUnsafeMutableBufferPointer { buffer.play(into: $0) }
        return samples
    }

    @Test(arguments: [110.0, 203, 440, 1000, 3100])
    func shorteningATonePreservesIt(frequency: Double) {
        let sound = tone(frequency, count: 4800)
        var buffer = buffer(history: Array(sound[..<1920]), next: Array(sound[1920...]))
        let removed = TimeStretcher().shorten(&buffer, limit: 720, kept: 480, minimumCorrelation: 0.9)
        #expect(120...720 ~= removed)
        #expect(buffer.count == 2880 - removed)
        let played = Array(sound[..<1920]) + play(buffer.count, of: &buffer)
        #expect(Sound.roughness(of: played) < 1.3 * Sound.roughness(ofToneHz: frequency))
        #expect(abs(Sound.frequency(of: played) - frequency) < 0.01 * frequency)
    }

    @Test(arguments: [110.0, 203, 440, 1000, 3100])
    func lengtheningATonePreservesIt(frequency: Double) {
        let sound = tone(frequency, count: 4800)
        var buffer = buffer(history: Array(sound[..<1920]), next: Array(sound[1920...]))
        let inserted = TimeStretcher().lengthen(&buffer, limit: 720, minimumCorrelation: 0.9)
        #expect(120...720 ~= inserted)
        #expect(buffer.count == 2880 + inserted)
        let played = Array(sound[..<1920]) + play(buffer.count, of: &buffer)
        #expect(Sound.roughness(of: played) < 1.3 * Sound.roughness(ofToneHz: frequency))
    }

    @Test func noiseIsNotStretched() {
        var state: UInt32 = 1
        let noise = (0..<4800).map { _ -> Float in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.5
        }
        var buffer = buffer(history: Array(noise[..<1920]), next: Array(noise[1920...]))
        #expect(TimeStretcher().shorten(&buffer, limit: 720, kept: 480, minimumCorrelation: 0.9) == 0)
        #expect(TimeStretcher().lengthen(&buffer, limit: 720, minimumCorrelation: 0.9) == 0)
        #expect(play(2880, of: &buffer) == Array(noise[1920...]))
    }

    @Test func silenceMayAlwaysBeStretched() {
        var buffer = buffer(history: [], next: [Float](repeating: 0, count: 2880))
        #expect(TimeStretcher().shorten(&buffer, limit: 720, kept: 480, minimumCorrelation: 0.9) > 0)
        #expect(TimeStretcher().lengthen(&buffer, limit: 720, minimumCorrelation: 0.9) > 0)
    }

    @Test func shorteningLeavesWhatIsNeeded() {
        let sound = tone(440, count: 2400)
        var buffer = buffer(history: Array(sound[..<1800]), next: Array(sound[1800...]))
        #expect(TimeStretcher().shorten(&buffer, limit: 720, kept: 480, minimumCorrelation: 0.5) <= 120)
        #expect(buffer.count >= 480)
    }

    @Test(arguments: [203.0, 440, 1000])
    func anExtensionGoesOnFromTheToneAndFades(frequency: Double) {
        let sound = tone(frequency, count: PlayoutBuffer.historySampleCount)
        var concealer = Concealer()
        sound.withUnsafeBufferPointer { concealer.begin(after: $0) }
        var made = [Float](repeating: .nan, count: 9600)
        made.withUnsafeMutableBufferPointer { concealer.extend(into: $0) }
        #expect(Sound.roughness(of: sound + made) < 1.5 * Sound.roughness(ofToneHz: frequency))
        #expect(Sound.rms(Array(made[..<480])) > 0.34)
        #expect(Sound.rms(Array(made[2400..<2880])) < 0.3)
        #expect(Sound.rms(Array(made[6000...])) == 0)
        let isSilent = concealer.isSilent
        #expect(isSilent)
    }

    @Test func anExtensionOfNothingIsSilence() {
        var concealer = Concealer()
        var made = [Float](repeating: .nan, count: 480)
        made.withUnsafeMutableBufferPointer { concealer.extend(into: $0) }
        #expect(made.allSatisfy { $0 == 0 })
    }

    @Test func aJointIsMadeWhereBothSoundsAreInStep() {
        let tail = tone(300, count: 960)
        var head = tone(300, count: 960, from: 100)
        let shift = tail.withUnsafeBufferPointer { tail in
            head.withUnsafeMutableBufferPointer { Merger().join(tail: tail, to: $0) }
        }
        let joined = Array(tail[..<shift]) + head
        #expect(Sound.roughness(of: joined) < 1.2 * Sound.roughness(ofToneHz: 300))
        #expect(abs(shift % 160 - 100) <= 1)
    }

    @Test func aShortTailIsJoinedByWhatThereIs() {
        let tail: [Float] = [1, 1, 1, 1]
        var head = [Float](repeating: 0, count: 960)
        let shift = tail.withUnsafeBufferPointer { tail in
            head.withUnsafeMutableBufferPointer { Merger().join(tail: tail, to: $0) }
        }
        #expect(shift == 0)
        #expect(head[0] > head[1] && head[1] > head[2] && head[3] > 0 && head[4] == 0)
    }

    @Test func theBufferKeepsItsHistoryAsItWraps() {
        var buffer = PlayoutBuffer()
        var written = 0
        var expected = 0
        for _ in 0..<400 {
            let part = (0..<960).map { Float(written + $0) }
            part.withUnsafeBufferPointer { buffer.append($0) }
            written += 960
            for _ in 0..<2 {
                let first = play(480, of: &buffer)[0]
                #expect(first == Float(expected))
                expected += 480
            }
            #expect(buffer.last(960)[0] == Float(written - 960))
        }
    }
}
