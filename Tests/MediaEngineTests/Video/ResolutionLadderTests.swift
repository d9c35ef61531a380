import Primitives
import Testing

@testable import MediaEngine

@Suite struct ResolutionLadderTests {
    @Test func itFallsAtOnceAndRisesStepByStepAfterAWhile() {
        var ladder = ResolutionLadder(bitrate: 1_000_000)
        #expect(ladder.height == 480)
        let hasFallen = ladder.update(bitrate: 100_000, at: .zero)
        #expect(hasFallen && ladder.height == 180)
        var heights: [Int] = []
        for second in 1...20 {
            if ladder.update(bitrate: 1_000_000, at: .zero + .seconds(second)) { heights.append(ladder.height) }
        }
        #expect(heights == [240, 360, 480])
    }

    @Test func aBitrateAtTheEdgeDoesNotMakeItSwing() {
        var ladder = ResolutionLadder(bitrate: 260_000)
        var changes = 0
        for step in 0..<600 {
            let bitrate = step.isMultiple(of: 2) ? 240_000.0 : 280_000
            if ladder.update(bitrate: bitrate, at: .zero + .milliseconds(100 * step)) { changes += 1 }
        }
        #expect(changes == 1 && ladder.height == 240)
    }

    @Test func theShapeIsKeptAndTheSidesAreEven() {
        let ladder = ResolutionLadder(bitrate: 130_000)
        #expect(ladder.fit(VideoSize(width: 640, height: 480)) == VideoSize(width: 320, height: 240))
        #expect(ladder.fit(VideoSize(width: 854, height: 480)) == VideoSize(width: 426, height: 240))
        #expect(ladder.fit(VideoSize(width: 320, height: 180)) == VideoSize(width: 320, height: 180))
    }
}
