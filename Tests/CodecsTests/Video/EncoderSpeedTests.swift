import MediaEngine
import Primitives
import Testing

@testable import Codecs

@Suite struct EncoderSpeedTests {
    private let size = VideoSize(width: 640, height: 360)

    /// Frames of 33 ms that take `milliseconds` each. Returns the values on the way.
    private func run(_ speed: inout EncoderSpeed, milliseconds: Int, frames: Int) -> [Int] {
        (0..<frames).map { _ in
            _ = speed.record(.milliseconds(milliseconds), frameInterval: .milliseconds(33))
            return speed.value
        }
    }

    @Test func theSizeSaysWhereItBegins() {
        #expect(EncoderSpeed(codec: .vp8, size: size).value == -6)
        #expect(EncoderSpeed(codec: .vp8, size: VideoSize(width: 320, height: 180)).value == -4)
        #expect(EncoderSpeed(codec: .vp9, size: size).value == 7)
    }

    @Test func itGoesFasterUnderLoadAndComesBack() {
        var speed = EncoderSpeed(codec: .vp8, size: size)
        #expect(Set(run(&speed, milliseconds: 12, frames: 300)) == [-6])
        let loaded = run(&speed, milliseconds: 30, frames: 300)
        #expect(loaded.last == -16 && zip(loaded, loaded.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(Set(run(&speed, milliseconds: 12, frames: 300)) == [-16], "no room enough to come back")
        #expect(run(&speed, milliseconds: 2, frames: 1000).last == -6)
        #expect(Set(run(&speed, milliseconds: 1, frames: 1000)) == [-6], "never more effort than suits the size")
    }

    @Test func vp9HasAScaleOfItsOwn() {
        var speed = EncoderSpeed(codec: .vp9, size: size)
        #expect(run(&speed, milliseconds: 60, frames: 200).last == 9)
        #expect(run(&speed, milliseconds: 1, frames: 1000).last == 7)
    }

    @Test func oneSlowFrameChangesNothing() {
        var speed = EncoderSpeed(codec: .vp8, size: size)
        _ = run(&speed, milliseconds: 4, frames: 60)
        #expect(speed.record(.milliseconds(150), frameInterval: .milliseconds(33)) == false)
        #expect(speed.value == -6)
    }
}
