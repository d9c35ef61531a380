/// How many colours a terminal shows.
package enum ColorDepth: Int, Comparable, CaseIterable, Sendable {
    case mono = 1
    case eight = 8
    case sixteen = 16
    case palette256 = 256

    package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The depth of a terminal that has `count` colours.
    package init(colorCount count: Int) {
        self = count >= 256 ? .palette256 : count >= 16 ? .sixteen : count >= 8 ? .eight : .mono
    }
}

/// Red, green and blue, 0…255.
struct RGB: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    /// The squared distance, weighted by the eye's sensitivity to each primary.
    func distance(to other: RGB) -> Int {
        let (red, green, blue) = (self.red - other.red, self.green - other.green, self.blue - other.blue)
        return 3 * red * red + 6 * green * green + blue * blue
    }

    /// The colour of palette entry `index` in xterm's defaults.
    init(paletteIndex index: Int) {
        switch index {
        case 0..<16:
            self = Self.first16[index]
        case 16..<232:
            let cube = index - 16
            self.init(
                red: Self.steps[cube / 36], green: Self.steps[cube / 6 % 6], blue: Self.steps[cube % 6])
        default:
            let grey = 8 + 10 * (min(index, 255) - 232)
            self.init(red: grey, green: grey, blue: grey)
        }
    }

    init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The nearest entry of `range` of the palette.
    func nearest(in range: Range<Int>) -> Int {
        range.min { distance(to: RGB(paletteIndex: $0)) < distance(to: RGB(paletteIndex: $1)) } ?? 7
    }

    private static let steps = [0, 95, 135, 175, 215, 255]
    private static let first16 = [
        RGB(red: 0, green: 0, blue: 0), RGB(red: 205, green: 0, blue: 0), RGB(red: 0, green: 205, blue: 0),
        RGB(red: 205, green: 205, blue: 0), RGB(red: 0, green: 0, blue: 238), RGB(red: 205, green: 0, blue: 205),
        RGB(red: 0, green: 205, blue: 205), RGB(red: 229, green: 229, blue: 229), RGB(red: 127, green: 127, blue: 127),
        RGB(red: 255, green: 0, blue: 0), RGB(red: 0, green: 255, blue: 0), RGB(red: 255, green: 255, blue: 0),
        RGB(red: 92, green: 92, blue: 255), RGB(red: 255, green: 0, blue: 255), RGB(red: 0, green: 255, blue: 255),
        RGB(red: 255, green: 255, blue: 255),
    ]
}

extension Color {
    /// The colour's components; `nil` for the terminal's own.
    var components: RGB? {
        switch self {
        case .standard: nil
        case .indexed(let index): RGB(paletteIndex: Int(index))
        case .rgb(let red, let green, let blue): RGB(red: Int(red), green: Int(green), blue: Int(blue))
        }
    }

    /// The nearest colour that a terminal of `depth` shows.
    package func reduced(to depth: ColorDepth) -> Color {
        guard depth != .mono, let components else { return .standard }
        if case .indexed(let index) = self, Int(index) < depth.rawValue { return self }
        switch depth {
        case .mono: return .standard
        case .eight: return .indexed(UInt8(nearestBase(components)))
        case .sixteen: return .indexed(UInt8(components.nearest(in: 0..<16)))
        case .palette256: return .indexed(UInt8(components.nearest(in: 16..<256)))
        }
    }

    private func nearestBase(_ components: RGB) -> Int {
        if case .indexed(let index) = self, index < 16 { return Int(index) % 8 }
        return components.nearest(in: 0..<8)
    }
}
