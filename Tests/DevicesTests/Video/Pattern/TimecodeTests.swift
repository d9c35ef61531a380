import Devices
import MediaEngine
import Primitives
import Testing

/// The time that is drawn into a picture, and read back from what became of it.
@Suite struct TimecodeTests {
    private static let standard = VideoSize(width: 640, height: 480)
    private let time = MonoTime(nanoseconds: 987_654_321_000_000)

    @Test(arguments: [
        standard, VideoSize(width: 640, height: 360), VideoSize(width: 320, height: 180),
        VideoSize(width: 160, height: 90), VideoSize(width: 98, height: 54), VideoSize(width: 71, height: 41),
    ])
    func everySizeTellsTheTime(size: VideoSize) {
        for number in 0..<TestPattern.count {
            let frame = TestPattern(number: number, size: Self.standard, label: "bob").frame(at: time)
            #expect(Timecode(in: frame.scaled(to: size)) == Timecode(number: number, time: time))
        }
    }

    /// Coarser than what a codec does at its worst: each 8×8 block keeps its mean in steps of 32, and noise comes over
    /// it.
    @Test func coarseQuantisationLeavesTheTimeReadable() {
        var random = SplitMix64(seed: 7)
        for step in 0..<50 {
            let now = time + .milliseconds(33 * step)
            let drawn = TestPattern(number: 3, size: Self.standard).frame(at: now)
            var frame = drawn.scaled(to: VideoSize(width: 320, height: 180))
            blur(&frame, random: &random)
            #expect(Timecode(in: frame) == Timecode(number: 3, time: now))
        }
    }

    @Test func anotherPictureHasNoTime() {
        #expect(Timecode(in: .black(Self.standard, time: .zero)) == nil)
        var random = SplitMix64(seed: 1)
        var found = 0
        for _ in 0..<500 {
            var frame = VideoFrame.black(VideoSize(width: 64, height: 36), time: .zero)
            for index in 0..<frame.size.area { frame.bytes[index] = UInt8.random(in: 16...235, using: &random) }
            if Timecode(in: frame) != nil { found += 1 }
        }
        #expect(found < 10)
    }

    @Test func theAgeIsTheTimeSince() {
        let code = Timecode(number: 0, time: time)
        #expect(code.age(at: time + .milliseconds(120)) == .milliseconds(120))
        #expect(code.age(at: time - .milliseconds(5)) == .milliseconds(-5))
        let nearWrap = MonoTime(nanoseconds: Int64(Timecode.period - 1) * 1_000_000)
        #expect(Timecode(number: 0, time: nearWrap).age(at: nearWrap + .milliseconds(40)) == .milliseconds(40))
    }

    @Test func thePatternsLookDifferent() {
        let cells = VideoSize(width: 32, height: 18)
        let pictures = (0..<TestPattern.count).map {
            TestPattern(number: $0, size: Self.standard).frame(at: time).rgb(cells)
        }
        for one in pictures.indices {
            for other in pictures.indices where other > one {
                let difference = zip(pictures[one], pictures[other]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
                #expect(difference / pictures[one].count > 12, "patterns \(one) and \(other)")
            }
        }
    }

    @Test func thePatternMoves() {
        let pattern = TestPattern(number: 0, size: Self.standard)
        let top = Self.standard.area / 2
        let one = pattern.frame(at: time).bytes.prefix(top)
        let later = pattern.frame(at: time + .milliseconds(33)).bytes.prefix(top)
        #expect(zip(one, later).count { $0 != $1 } > 500)
    }

    @Test func aTinyPatternIsDrawnToo() {
        let size = VideoSize(width: 16, height: 16)
        #expect(TestPattern(number: 7, size: size, label: "a long name").frame(at: time).bytes.count == 384)
    }

    private func blur(_ frame: inout VideoFrame, random: inout SplitMix64) {
        let (width, height) = (frame.size.width, frame.size.height)
        for top in stride(from: 0, to: height, by: 8) {
            for left in stride(from: 0, to: width, by: 8) {
                let rows = top..<min(top + 8, height)
                let columns = left..<min(left + 8, width)
                let sum = rows.reduce(0) { sum, y in columns.reduce(sum) { $0 + Int(frame.bytes[y * width + $1]) } }
                let mean = sum / (rows.count * columns.count) / 32 * 32 + 16
                for y in rows {
                    for x in columns {
                        frame.bytes[y * width + x] = UInt8(clamping: mean + Int.random(in: -12...12, using: &random))
                    }
                }
            }
        }
    }
}
