/// How many colours a terminal shows.
package enum ColorDepth: Int, Comparable, CaseIterable, Sendable {
    case mono = 1
    case eight = 8
    case sixteen = 16
    case palette256 = 256
    /// 24 bits.
    case direct = 0x100_0000

    package static func < (left: ColorDepth, right: ColorDepth) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The depth of a terminal that has `count` colours.
    package init(colorCount count: Int) {
        self = Self.allCases.last { count >= $0.rawValue } ?? .mono
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
        case .rgb(let red, let green, let blue), .graded(let red, let green, let blue, _, _):
            RGB(red: Int(red), green: Int(green), blue: Int(blue))
        }
    }

    /// The nearest colour that a terminal of `depth` shows, or the one that was named for it.
    package func reduced(to depth: ColorDepth) -> Color {
        guard depth != .mono, let components else { return .standard }
        switch self {
        case .standard: return .standard
        case .indexed(let index):
            if Int(index) < depth.rawValue { return self }
            // The bright eight are the dark eight, made bold.
            if depth == .eight, index < 16 { return .indexed(index % 8) }
            return components.nearest(to: depth)
        case .rgb: return depth == .direct ? self : components.nearest(to: depth)
        case .graded(let red, let green, let blue, let palette, let base):
            switch depth {
            case .direct: return .rgb(red: red, green: green, blue: blue)
            case .palette256: return palette.map { .indexed($0) } ?? .standard
            case .mono, .eight, .sixteen:
                return base.map { Color.indexed($0).reduced(to: depth) } ?? .standard
            }
        }
    }
}

extension RGB {
    /// The nearest palette entry of a terminal of `depth`; of 256 colours, of those that are the same everywhere.
    fileprivate func nearest(to depth: ColorDepth) -> Color {
        let entries = depth >= .palette256 ? 16..<256 : 0..<depth.rawValue
        return .indexed(UInt8(nearest(in: entries)))
    }
}
