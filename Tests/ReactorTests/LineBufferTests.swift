import Primitives
import Testing

@testable import Reactor

@Suite struct LineBufferTests {
    private func lines(_ text: [UInt8], cutBy sizes: () -> Int) -> [[UInt8]] {
        var buffer = LineBuffer(limit: 100)
        var lines: [[UInt8]] = []
        var rest = text[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(max(1, sizes())))
            rest = rest.dropFirst(part.count)
            part.withUnsafeBytes { buffer.append($0) }
            while let line = buffer.next() { lines.append(line) }
        }
        return lines
    }

    @Test func anyCutGivesTheSameLines() {
        var random = SplitMix64(seed: 4)
        let expected: [[UInt8]] = (0..<500).map { _ in
            [UInt8](repeating: 0x61, count: Int.random(in: 0...100, using: &random))
        }
        let text = [UInt8](expected.map { $0 + [0x0A] }.joined())
        for _ in 0..<20 {
            #expect(lines(text) { Int.random(in: 1...300, using: &random) } == expected)
        }
    }

    @Test func aLineOverTheLimitIsNeverHandedOut() {
        var buffer = LineBuffer(limit: 3)
        [UInt8]("abc\nabcd\n".utf8).withUnsafeBytes { buffer.append($0) }
        #expect(buffer.next() == [UInt8]("abc".utf8))
        #expect(!buffer.isOverlong || buffer.next() == nil)
        #expect(buffer.next() == nil)
        #expect(buffer.isOverlong)
    }
}
