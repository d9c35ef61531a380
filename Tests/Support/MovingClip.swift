package import Primitives

/// A made clip with what a camera's has: large shapes with edges, texture of every scale, slow movement, noise.
package struct MovingClip {
    /// Twice the clip's size across and down, so that there is room to move in.
    private let scene: RGBPicture
    private let size: (width: Int, height: Int)
    private var random = SplitMix64(seed: 11)
    private var frame = 0

    package init(width: Int = 320, height: Int = 180) {
        size = (width, height)
        var painter = Painter(width: width * 3 / 2, height: height * 3 / 2)
        scene = painter.paint()
    }

    /// The next picture: a pan and a zoom of about half a pixel a frame, and the noise of a small sensor.
    package mutating func next() -> RGBPicture {
        let time = Double(frame)
        frame += 1
        let zoom = 1.1 + 0.08 * wave(time / 90)
        let (left, top) = (Double(size.width) * (0.13 + 0.09 * wave(time / 70)), Double(size.height) * 0.12)
        var picture = RGBPicture(width: size.width, height: size.height)
        let (width, height, across) = (size.width, size.height, scene.width)
        var noise = random
        scene.bytes.withUnsafeBufferPointer { scene in
            picture.withMutableBytes { bytes in
                for row in 0..<height {
                    let y = Int((top + Double(row) * zoom) * 256)
                    for column in 0..<width {
                        let x = Int((left + Double(column) * zoom) * 256)
                        let at = (y >> 8 * across + x >> 8) * 3
                        let (fx, fy) = (x & 255, y & 255)
                        let bits = noise.next()
                        for channel in 0..<3 {
                            let from = at + channel
                            let upper = Int(scene[from]) * (256 - fx) + Int(scene[from + 3]) * fx
                            let below = from + across * 3
                            let lower = Int(scene[below]) * (256 - fx) + Int(scene[below + 3]) * fx
                            // The sum of two dice: −6…6.
                            let dice = Int(bits >> UInt64(channel * 16) & 0xFFFF)
                            let grain = dice % 7 + dice / 7 % 7 - 6
                            let value = (upper * (256 - fy) + lower * fy) >> 16 + grain
                            bytes[(row * width + column) * 3 + channel] = UInt8(max(0, min(255, value)))
                        }
                    }
                }
            }
        }
        random = noise
        return picture
    }

    /// −1…1, once around in 4; a parabola is near enough to a sine.
    private func wave(_ turns: Double) -> Double {
        let place = (turns - turns.rounded(.down)) * 4
        return place < 2 ? 1 - (place - 1) * (place - 1) : (place - 3) * (place - 3) - 1
    }
}

/// Paints the scene: a head and shoulders before a wall with a window.
private struct Painter {
    private let width: Int
    private let height: Int
    private var random = SplitMix64(seed: 7)

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    mutating func paint() -> RGBPicture {
        let textures = (0..<3).map { _ in texture() }
        var picture = RGBPicture(width: width, height: height)
        let (width, height) = (width, height)
        picture.withMutableBytes { bytes in
            for row in 0..<height {
                for column in 0..<width {
                    let (x, y) = (Double(column) / Double(width) - 0.5, Double(row) / Double(height) - 0.5)
                    let color = Self.color(x, y)
                    for channel in 0..<3 {
                        let grain = textures[0][row * width + column] * 3 + textures[channel][row * width + column]
                        let value = color[channel] * (1 + 0.12 * grain)
                        bytes[(row * width + column) * 3 + channel] = UInt8(max(0, min(255, value)))
                    }
                }
            }
        }
        return picture
    }

    private static func color(_ x: Double, _ y: Double) -> [Double] {
        func isInside(_ cx: Double, _ cy: Double, _ rx: Double, _ ry: Double) -> Bool {
            let (dx, dy) = ((x - cx) / rx, (y - cy) / ry)
            return dx * dx + dy * dy < 1
        }
        let light = 1 - 0.7 * x
        if isInside(-0.045, -0.1, 0.02, 0.018) || isInside(0.045, -0.1, 0.02, 0.018) { return [40, 30, 35] }
        if isInside(0, 0.08, 0.05, 0.02) { return [150, 60, 60] }
        if isInside(0, -0.04, 0.11, 0.23) { return [205 * light, 160 * light, 135 * light] }
        if isInside(0, -0.1, 0.14, 0.25) { return [60 * light, 42 * light, 30 * light] }
        if isInside(0, 0.55, 0.34, 0.38) {
            return y * 40 - (y * 40).rounded(.down) < 0.3 ? [200, 200, 210] : [50, 70, 130]
        }
        if abs(x + 0.33) < 0.1, abs(y + 0.18) < 0.2 {
            return abs(x + 0.33) < 0.008 || abs(y + 0.18) < 0.012 ? [90, 70, 50] : [190, 215, 240]
        }
        return [120 - 60 * x, 130 + 20 * y, 110 + 40 * x]
    }

    /// Noise of five scales, each half as wide and half as strong as the one before: −1…1.
    private mutating func texture() -> [Double] {
        var result = [Double](repeating: 0, count: width * height)
        for octave in 0..<5 {
            let cell = max(2, (width / 6) >> octave)
            let across = width / cell + 2
            let grid = (0..<across * (height / cell + 2)).map { _ in Double.random(in: -1...1, using: &random) }
            let strength = 0.5 / Double(1 << octave)
            for row in 0..<height {
                let (gy, fy) = (row / cell, Double(row % cell) / Double(cell))
                for column in 0..<width {
                    let (gx, fx) = (column / cell, Double(column % cell) / Double(cell))
                    let at = gy * across + gx
                    let upper = grid[at] * (1 - fx) + grid[at + 1] * fx
                    let lower = grid[at + across] * (1 - fx) + grid[at + across + 1] * fx
                    result[row * width + column] += strength * (upper * (1 - fy) + lower * fy)
                }
            }
        }
        return result
    }
}
