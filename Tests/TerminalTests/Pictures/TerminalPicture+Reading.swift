import Primitives
import TestSupport

@testable import Terminal

extension TerminalPicture {
    /// What stands in `area` of a terminal that was sent a canvas's bytes, as `PictureCanvas.shownPicture`.
    func picture(in area: CellArea, _ mode: PictureMode) -> RGBPicture {
        let (across, down) = mode.glyphs.samples
        let (width, height) = mode.sampleSize(of: area.size)
        let glyphs = mode.glyphs.characters
        // The terminal's own colours are white, and black behind what has no colours.
        let ground: UInt32 = mode.colors == .none ? 0 : 0xFFFFFF
        return RGBPicture(width: width, height: height) { x, y in
            let (row, column) = (area.row + y / down, area.column + x / across)
            let bit = y % down * across + x % across
            let isInk = (glyphs.firstIndex(of: cells[row][column]) ?? 0) >> bit & 1 == 1
            let color = isInk ? colors[row][column].foreground ?? 0xFFFFFF : colors[row][column].background ?? ground
            return (UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF))
        }
    }
}
