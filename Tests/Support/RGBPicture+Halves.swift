package import Primitives

extension RGBPicture {
    /// The most that upper and lower halves of cells show of this picture, whatever the bytes: the mean of what each covers,
    /// in the nearest of the 240 colours that are the same in every terminal.
    package func inHalves(rows: Int, columns: Int) -> RGBPicture {
        let halves = rows * 2
        var sums = [Int](repeating: 0, count: columns * halves * 4)
        for row in 0..<height {
            for column in 0..<width {
                let at = (row * halves / height * columns + column * columns / width) * 4
                for channel in 0..<3 { sums[at + channel] += Int(bytes[(row * width + column) * 3 + channel]) }
                sums[at + 3] += 1
            }
        }
        var picture = RGBPicture(width: columns, height: halves)
        picture.withMutableBytes { bytes in
            for half in 0..<columns * halves {
                let mean = (0..<3).map { sums[half * 4 + $0] / max(sums[half * 4 + 3], 1) }
                for (channel, value) in Self.nearest(to: mean).enumerated() { bytes[half * 3 + channel] = UInt8(value) }
            }
        }
        return picture
    }

    /// Of the colour cube, or of the greys.
    private static func nearest(to color: [Int]) -> [Int] {
        let step = { (value: Int) in [0, 95, 135, 175, 215, 255].min { abs($0 - value) < abs($1 - value) } ?? 0 }
        let grey = 8 + 10 * max(0, min(23, (color.reduce(0, +) / 3 - 3) / 10))
        let distance = { (choice: [Int]) in zip(choice, color).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
        let (cube, greys) = (color.map(step), [grey, grey, grey])
        return distance(cube) < distance(greys) ? cube : greys
    }
}
