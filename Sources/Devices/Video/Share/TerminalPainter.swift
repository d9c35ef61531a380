import CVterm
import MediaEngine
import Primitives

/// Draws a terminal's cells into a picture: only those that changed.
struct TerminalPainter {
    private var canvas: PixelCanvas
    private var frame: VideoFrame

    init(_ size: TerminalSize) {
        canvas = PixelCanvas(size.pixels, color: 0xff00_0000)
        frame = .black(size.pixels, time: .zero)
    }

    /// Draws what changed on `screen`. Returns the whole picture.
    mutating func draw(_ screen: TerminalScreen, at time: MonoTime) -> VideoFrame {
        if canvas.size != screen.size.pixels { self = TerminalPainter(screen.size) }
        for (row, columns) in screen.takeDirty() {
            for column in columns { draw(screen.cell(row: row, column: column), row: row, column: column) }
            let area = PixelArea(
                x: columns.lowerBound * BitmapFont.width, y: row * BitmapFont.height,
                width: columns.count * BitmapFont.width, height: BitmapFont.height)
            canvas.convert(area, into: &frame)
        }
        frame.time = time
        return frame
    }

    private mutating func draw(_ cell: cvterm_cell, row: Int, column: Int) {
        let glyph = cell.character == 0 ? BitmapFont.blank : BitmapFont.standard.glyph(cell.character)
        let start = row * BitmapFont.height * canvas.size.width + column * BitmapFont.width
        let stride = canvas.size.width
        let foreground = 0xff00_0000 | cell.foreground
        let background = 0xff00_0000 | cell.background
        canvas.withPixels { pixels in
            for (line, var bits) in glyph.enumerated() {
                if cell.bold != 0 { bits |= bits >> 1 }
                if cell.underline != 0, line == BitmapFont.height - 1 { bits = 0xff }
                if cell.strike != 0, line == BitmapFont.height / 2 { bits = 0xff }
                let first = start + line * stride
                for pixel in 0..<BitmapFont.width {
                    pixels[first + pixel] = bits & (0x80 >> pixel) != 0 ? foreground : background
                }
            }
        }
    }
}
