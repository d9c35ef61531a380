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
                mode: PictureMode(glyphs: .sextant, colors: .direct), size: Size(rows: 1, columns: 1),
                isThrifty: false)
            _ = canvas.draw(picture)
            let error = zip(canvas.shownPicture.bytes, picture.bytes).reduce(0) { sum, pair in
                sum + (Int(pair.0) - Int(pair.1)) * (Int(pair.0) - Int(pair.1))
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

    /// Grey 100 is shown, and what is wished differs more and more.
    @Test func aCellChangesOnceItsErrorIsWorthTheBytes() {
        let mode = PictureMode(glyphs: .half, colors: .direct)
        let bytes = BytePrice.Bytes(mode)
        // Of two samples: what a jump, one colour and a blank cost.
        let worth = Int32(BytePrice.least) * 2 * (BytePrice.Bytes.jump + bytes.oneColor + BytePrice.Bytes.blank)
        for step in 0..<30 {
            // A screen whose share is more than what it takes in one colour.
            var canvas = PictureCanvas(mode: mode, size: Size(rows: 10, columns: 10))
            _ = canvas.draw(RGBPicture(width: 1, height: 1) { _, _ in (100, 100, 100) })
            let level = UInt8(100 + step)
            let wished = RGBPicture(width: 1, height: 1) { _, _ in (level, level, level) }
            canvas.show(wished, in: CellArea(row: 5, column: 5, size: Size(rows: 1, columns: 1)))
            var bytes: [UInt8] = []
            canvas.write(rows: [0..<10], limit: 1000, to: &bytes)
            #expect(bytes.isEmpty == (Int32(2 * 3 * step * step) <= worth), "\(step)")
        }
    }

    /// Whatever the pen has, no other cell has a lower sum of error and price.
    @Test func coloursThatAreSetAreTakenWhereTheyAreNear() {
        let mode = PictureMode(glyphs: .half, colors: .direct)
        var canvas = PictureCanvas(mode: mode, size: Size(rows: 1, columns: 3))
        // The second cell is off by little, the third by much.
        let picture = RGBPicture(width: 3, height: 2) { x, y in
            y == 0 ? (200, [0, 4, 90][x], 0) : (0, 0, 200)
        }
        _ = canvas.draw(picture)
        #expect(canvas.shown[1] == canvas.shown[0])
        #expect(canvas.shown[2] != canvas.shown[0])
    }

    @Test func oneColourHasOneForm() {
        var canvas = PictureCanvas(
            mode: PictureMode(glyphs: .half, colors: .direct), size: Size(rows: 1, columns: 2))
        // The second cell is near to the foreground of the first.
        _ = canvas.draw(
            RGBPicture(width: 2, height: 2) { x, y in x == 1 ? (200, 2, 0) : y == 0 ? (200, 0, 0) : (0, 0, 200) })
        #expect(canvas.shown[1] == PictureCell(solid: canvas.shown[0].foreground))
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
