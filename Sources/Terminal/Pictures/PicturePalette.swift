/// The nearest entry of xterm's fixed 240 colours (16…255) for each colour, by squared distance.
struct PicturePalette {
    /// By the upper 5 bits of red, green and blue.
    private let nearest: [UInt8]
    /// The colours by entry.
    private let colors: [PictureColor]

    static let shared = PicturePalette()

    private init() {
        colors = (0..<256).map { index in
            let color = RGB(paletteIndex: index)
            return PictureColor(
                bits: UInt32(index) << 24 | UInt32(color.red << 16 | color.green << 8 | color.blue))
        }
        // The cube's steps are chosen channel by channel, and then compared with the nearest grey.
        let steps = (0..<32).map { Self.nearestStep(to: $0 * 8 + 4) }
        nearest = (0..<32768).map { key in
            let (red, green, blue) = (key >> 10, key >> 5 & 31, key & 31)
            let color = RGB(red: red * 8 + 4, green: green * 8 + 4, blue: blue * 8 + 4)
            let cube = 16 + 36 * steps[red] + 6 * steps[green] + steps[blue]
            let grey = 232 + max(0, min(23, ((color.red + color.green + color.blue) / 3 - 3) / 10))
            return Self.squared(color, grey) < Self.squared(color, cube) ? UInt8(grey) : UInt8(cube)
        }
    }

    /// Lends the tables to a loop: entries by `key`, colours by entry.
    @inline(__always)
    func withTables<Result>(
        _ body: (_ nearest: UnsafePointer<UInt8>, _ colors: UnsafePointer<PictureColor>) -> Result
    ) -> Result {
        nearest.withUnsafeBufferPointer { nearest in
            colors.withUnsafeBufferPointer { colors in
                // The tables are never empty.
                body(nearest.baseAddress.unsafelyUnwrapped, colors.baseAddress.unsafelyUnwrapped)
            }
        }
    }

    /// The place of a colour in the table of entries.
    @inline(__always)
    static func key(_ red: Int32, _ green: Int32, _ blue: Int32) -> Int {
        Int((red >> 3) << 10 | (green >> 3) << 5 | blue >> 3)
    }

    private static func nearestStep(to value: Int) -> Int {
        (0..<6).min { abs(RGB(paletteIndex: 16 + $0).blue - value) < abs(RGB(paletteIndex: 16 + $1).blue - value) } ?? 0
    }

    private static func squared(_ color: RGB, _ index: Int) -> Int {
        let other = RGB(paletteIndex: index)
        let (red, green, blue) = (color.red - other.red, color.green - other.green, color.blue - other.blue)
        return red * red + green * green + blue * blue
    }
}
