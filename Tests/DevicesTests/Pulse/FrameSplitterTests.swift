import Primitives
import Testing

@testable import Devices

@Suite struct FrameSplitterTests {
    @Test func anySizesPushedComeOutAsTheSameSamplesInFrames() {
        var random = SplitMix64(seed: 3)
        var splitter = FrameSplitter()
        var sent: [Float] = []
        var got: [Float] = []
        for _ in 0..<500 {
            let count = Int(random.unit() * 1500)
            let piece = (0..<count).map { Float(sent.count + $0) }
            sent += piece
            piece.withUnsafeBufferPointer { buffer in
                splitter.push(buffer.baseAddress, count: count) { frame, _ in got += frame }
            }
            #expect(got.count % 480 == 0)
            #expect(sent.count - got.count == splitter.pendingCount)
        }
        #expect(got == Array(sent.prefix(got.count)))
        #expect(splitter.pendingCount < 480)
    }

    @Test func aHoleIsSilence() {
        var splitter = FrameSplitter()
        var got: [Float] = []
        splitter.push([Float](repeating: 1, count: 100), count: 100) { frame, _ in got += frame }
        splitter.push(nil, count: 380) { frame, _ in got += frame }
        #expect(got == [Float](repeating: 1, count: 100) + [Float](repeating: 0, count: 380))
    }

    @Test func aFrameSaysWhereItsFirstSampleIs() {
        var splitter = FrameSplitter()
        var places: [Int] = []
        splitter.push(nil, count: 100) { _, consumed in places.append(consumed - 480) }
        splitter.push(nil, count: 1000) { _, consumed in places.append(consumed - 480) }
        #expect(places == [-100, 380])
    }

    @Test func anySizesPulledAreTheSameSamplesAsRendered() {
        var random = SplitMix64(seed: 4)
        var splitter = FrameSplitter()
        var next: Float = 0
        var got: [Float] = []
        for _ in 0..<500 {
            var output = [Float](repeating: -1, count: Int(random.unit() * 1500) + 1)
            let count = output.count
            output.withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                splitter.pull(into: base, count: count) { frame, _ in
                    for index in frame.indices {
                        frame[index] = next
                        next += 1
                    }
                }
            }
            got += output
        }
        #expect(got == (0..<got.count).map { Float($0) })
    }

    @Test func wholeFramesArePulledWithoutWaitingSamples() {
        var splitter = FrameSplitter()
        var output = [Float](repeating: 0, count: 960)
        var produced: [Int] = []
        output.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            splitter.pull(into: base, count: 960) { _, before in produced.append(before) }
        }
        #expect(produced == [0, 480])
        #expect(splitter.pendingCount == 0)
    }
}
