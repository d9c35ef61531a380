import Primitives

@testable import Terminal

extension PictureCanvas {
    /// All of the screen.
    var screen: CellArea { CellArea(row: 0, column: 0, size: size) }

    /// Whether the whole terminal shows what it is to.
    var isShown: Bool { isShown(rows: [screen.rows]) }

    /// What the whole terminal shows.
    var shownPicture: RGBPicture { shownPicture(in: screen) }

    /// Fills the screen with `picture` and returns the bytes that a terminal gets.
    mutating func draw(_ picture: RGBPicture, limit: Int = .max / 2) -> [UInt8] {
        var output: [UInt8] = []
        show(picture, in: screen)
        write(rows: [0..<size.rows], limit: limit, to: &output)
        return output
    }
}

extension RGBPicture {
    /// A picture made of the colour at each pixel.
    init(width: Int, height: Int, _ color: (_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8)) {
        self.init(width: width, height: height)
        withMutableBytes { bytes in
            for index in 0..<width * height {
                let (red, green, blue) = color(index % width, index / width)
                (bytes[index * 3], bytes[index * 3 + 1], bytes[index * 3 + 2]) = (red, green, blue)
            }
        }
    }
}
