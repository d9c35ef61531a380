import Glibc
import Primitives

@testable import Terminal

/// What a canvas shows, as a picture again.
enum PictureMeasure {
    /// The colour of each sample that the terminal shows, row by row; in ASCII without fixed colours, of each cell.
    static func samples(_ canvas: PictureCanvas, _ cells: [PictureCell]) -> [PictureColor] {
        let (across, down) = canvas.mode.glyphs.samples
        let (width, height) = canvas.mode.sampleSize(of: canvas.size)
        return (0..<width * height).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: width)
            let cell = cells[row / down * canvas.size.columns + column / across]
            let bit = UInt8(row % down * across + column % across)
            return cell.pattern >> bit & 1 == 1 ? cell.foreground : cell.background
        }
    }

    /// Peak signal to noise ratio in dB of what the terminal shows, against `picture` at 8 × 16 pixels a cell.
    static func psnr(_ canvas: PictureCanvas, _ picture: RGBPicture) -> Double {
        let (width, height) = (canvas.size.columns * 8, canvas.size.rows * 16)
        var scaler = PictureScaler()
        scaler.scale(picture, width: width, height: height, isMirrored: false)
        let (across, down) = canvas.mode.glyphs.samples
        let samples = samples(canvas, canvas.shown)
        let sampleWidth = canvas.size.columns * across
        var sum = 0
        for row in 0..<height {
            for column in 0..<width {
                let color = samples[row * down / 16 * sampleWidth + column * across / 8]
                let at = (row * width + column) * 3
                sum += Int(
                    color.distance(
                        red: Int32(scaler.samples[at]), green: Int32(scaler.samples[at + 1]),
                        blue: Int32(scaler.samples[at + 2])))
            }
        }
        return 10 * log10(255 * 255 * Double(width * height * 3) / Double(max(sum, 1)))
    }
}

extension PictureCanvas {
    /// Fills the screen with `picture` and returns the bytes that a terminal gets.
    mutating func draw(_ picture: RGBPicture, limit: Int = .max / 2) -> [UInt8] {
        var output: [UInt8] = []
        show(picture, in: CellArea(row: 0, column: 0, size: size))
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
