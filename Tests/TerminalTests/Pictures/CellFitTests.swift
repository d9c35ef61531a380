import Primitives
import Testing

@testable import Terminal

struct CellFitTests {
    /// Every division of random samples between two means, tried the slow way.
    @Test func noDivisionIsBetter() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<200 {
            let samples = (0..<6).map { _ in (0..<3).map { _ in Int32.random(in: 0...255, using: &random) } }
            let picture = RGBPicture(width: 2, height: 3) { x, y in
                let sample = samples[y * 2 + x].map(UInt8.init)
                return (sample[0], sample[1], sample[2])
            }
            var canvas = PictureCanvas(
                mode: PictureMode(glyphs: .sextant, colors: .direct), size: Size(rows: 1, columns: 1))
            _ = canvas.draw(picture)
            let shown = PictureMeasure.samples(canvas, canvas.shown)
            let error = zip(shown, samples).reduce(Int32(0)) { sum, pair in
                sum + pair.0.distance(red: pair.1[0], green: pair.1[1], blue: pair.1[2])
            }
            let best = (0..<32).map { squaredError(samples, division: $0) }.min() ?? 0
            // The means are rounded down to whole numbers.
            #expect(Double(error) <= best + 18, "\(error) against \(best)")
        }
    }

    private func squaredError(_ samples: [[Int32]], division: Int) -> Double {
        [true, false].reduce(0.0) { sum, side in
            let part = samples.indices.filter { (division >> $0 & 1 == 1) == side }.map { samples[$0].map(Double.init) }
            guard !part.isEmpty else { return sum }
            return sum
                + (0..<3).reduce(0.0) { sum, channel in
                    let mean = part.reduce(0) { $0 + $1[channel] } / Double(part.count)
                    return sum + part.reduce(0) { $0 + ($1[channel] - mean) * ($1[channel] - mean) }
                }
        }
    }

    @Test func whatIsKeptIsWithinTheThresholdOfTheBest() {
        let square = PictureFitter.threshold * PictureFitter.threshold * 3
        // √(4·192) = 2t above 0 is too far, t is not; from a best of 4·t² the same distances on.
        #expect(PictureFitter.isNear(square, to: 0, sampleCount: 1))
        #expect(!PictureFitter.isNear(square + 1, to: 0, sampleCount: 1))
        #expect(PictureFitter.isNear(9 * square, to: 4 * square, sampleCount: 1))
        #expect(!PictureFitter.isNear(9 * square + 1, to: 4 * square, sampleCount: 1))
    }

    @Test func thePaletteNeverUsesColoursThatUsersChange() {
        let palette = PicturePalette.shared
        palette.withTables { nearest, colors in
            for key in 0..<32768 { #expect(nearest[key] >= 16) }
            for index in 16...255 {
                let color = colors[index]
                let found = colors[Int(nearest[PicturePalette.key(color.red, color.green, color.blue)])]
                #expect(found.distance(red: color.red, green: color.green, blue: color.blue) <= 3 * 64)
            }
        }
    }
}
