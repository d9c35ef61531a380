package import Primitives

/// A made clip with what a camera's has: large shapes with edges, texture of every scale, movement, noise.
package struct MovingClip {
    package enum Kind: String, CaseIterable, Sendable {
        /// Somebody who sits before a camera and hardly moves.
        case head
        /// The camera pans over the same scene, some pixels a frame.
        case pan
        /// A dark room and a sensor that makes up for it.
        case night
        /// A terminal whose text scrolls, a line every half second.
        case text
        /// Another scene every two seconds, and the same movement as `head`.
        case cuts
    }

    private let kind: Kind
    /// Twice the clip's size across and down, so that there is room to move in.
    private let scenes: [RGBPicture]
    private let size: (width: Int, height: Int)
    private var random = SplitMix64(seed: 11)
    private var frame = 0

    package init(_ kind: Kind = .head, width: Int = 320, height: Int = 180) {
        self.kind = kind
        size = (width, height)
        scenes = (0..<(kind == .cuts ? 3 : 1)).map { number in
            var painter = Painter(width: width * 3 / 2, height: height * 3 / 2, seed: 7 + UInt64(number))
            return kind == .text ? painter.write() : painter.paint(turned: number == 1, dimmed: number == 2)
        }
    }

    /// Where the picture lies in its scene, and how much larger.
    private var view: (left: Double, top: Double, zoom: Double) {
        let (time, width, height) = (Double(frame), Double(size.width), Double(size.height))
        switch kind {
        case .head, .night, .cuts:
            return (width * (0.13 + 0.09 * wave(time / 70)), height * 0.12, 1.1 + 0.08 * wave(time / 90))
        case .pan: return (width * (0.2 + 0.19 * wave(time / 50)), height * (0.2 + 0.15 * wave(time / 80)), 1.05)
        case .text: return (0, Double(frame / 8 * 16 % (size.height / 2 - 16)), 1)
        }
    }

    /// The next picture. The noise is that of a small sensor; a terminal has none.
    package mutating func next() -> RGBPicture {
        let (left, top, zoom) = view
        let scene = scenes[frame / 30 % scenes.count]
        frame += 1
        let (strength, light) = kind == .night ? (2, 64) : kind == .text ? (0, 256) : (1, 256)
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
                            let value = (upper * (256 - fy) + lower * fy) >> 16 * light >> 8 + grain * strength
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
    private var random: SplitMix64

    init(width: Int, height: Int, seed: UInt64) {
        (self.width, self.height) = (width, height)
        random = SplitMix64(seed: seed)
    }

    /// Words of light letters of 8 × 16 pixels on black.
    mutating func write() -> RGBPicture {
        var picture = RGBPicture(width: width, height: height)
        let (width, height) = (width, height)
        var letters = (0..<26).map { _ in (0..<10).map { _ in UInt8.random(in: 0...255, using: &random) & 0x7E } }
        letters.append(Array(repeating: 0, count: 10))
        var text: [Int] = []
        for _ in 0..<(width / 8 + 1) * (height / 16 + 1) {
            let isBlank = Int.random(in: 0..<6, using: &random) == 0
            text.append(isBlank ? 26 : Int.random(in: 0..<26, using: &random))
        }
        picture.withMutableBytes { bytes in
            for row in 0..<height {
                for column in 0..<width {
                    let letter = letters[text[row / 16 * (width / 8 + 1) + column / 8]]
                    let line = row % 16 - 3
                    let isLit = letter.indices.contains(line) && letter[line] >> (7 - column % 8) & 1 == 1
                    for channel in 0..<3 { bytes[(row * width + column) * 3 + channel] = isLit ? 210 : 12 }
                }
            }
        }
        return picture
    }

    mutating func paint(turned: Bool = false, dimmed: Bool = false) -> RGBPicture {
        let textures = (0..<3).map { _ in texture() }
        var picture = RGBPicture(width: width, height: height)
        let (width, height) = (width, height)
        picture.withMutableBytes { bytes in
            for row in 0..<height {
                for column in 0..<width {
                    let (x, y) = (Double(column) / Double(width) - 0.5, Double(row) / Double(height) - 0.5)
                    let color = Self.color(turned ? -x : x, y).map { dimmed ? $0 * 0.5 : $0 }
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
