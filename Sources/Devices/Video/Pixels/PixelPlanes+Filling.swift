import Glibc

extension PixelPlanes where Pointer == UnsafeMutablePointer<UInt8> {
    /// Sets the brightness of `area`, which lies in the picture.
    func fill(_ area: PixelArea, luma: UInt8) {
        guard area.width > 0 else { return }
        for row in area.y..<area.y + max(0, area.height) {
            memset(y + row * Int(yStride) + area.x, Int32(luma), area.width)
        }
    }

    /// Sets the colour of `area`, which lies in the picture; at odd edges the pixels beyond share it.
    func fill(_ area: PixelArea, blue: UInt8, red: UInt8) {
        let left = area.x / 2
        let width = (area.x + area.width + 1) / 2 - left
        guard width > 0, area.height > 0 else { return }
        for row in area.y / 2..<(area.y + area.height + 1) / 2 {
            memset(u + row * Int(chromaStride) + left, Int32(blue), width)
            memset(v + row * Int(chromaStride) + left, Int32(red), width)
        }
    }

    /// Sets both.
    func fill(_ area: PixelArea, _ color: PixelColor) {
        fill(area, luma: color.luma)
        fill(area, blue: color.blue, red: color.red)
    }
}

/// A colour in Y, U and V (limited range, ITU-R BT.601).
struct PixelColor: Hashable, Sendable {
    var luma: UInt8
    var blue: UInt8
    var red: UInt8

    /// From red, green and blue, 0…255 each.
    init(red: Int, green: Int, blue: Int) {
        luma = UInt8(clamping: 16 + (66 * red + 129 * green + 25 * blue + 128) / 256)
        self.blue = UInt8(clamping: 128 + (-38 * red - 74 * green + 112 * blue + 128) / 256)
        self.red = UInt8(clamping: 128 + (112 * red - 94 * green - 18 * blue + 128) / 256)
    }
}
