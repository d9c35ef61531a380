/// How a code is drawn in cells: dark on light whatever the theme, since not every reader takes the inverse.
package struct QRCodeLook: Hashable, Sendable {
    /// Two modules in a cell by half blocks; else two cells for one module, in ASCII.
    let hasBlocks: Bool
    /// What is light, and what is dark on it.
    let light: Style
    let dark: Style

    /// - Parameter background: the terminal's, which decides where there are no colours.
    package init(hasBlocks: Bool, depth: ColorDepth, background: Theme.Background) {
        self.hasBlocks = hasBlocks
        let (black, white) = (Color.rgb(red: 0, green: 0, blue: 0), Color.rgb(red: 255, green: 255, blue: 255))
        if depth != .mono {
            light = Style(foreground: black, background: white)
            dark = Style(foreground: white, background: black)
        } else {
            // Ink on a light terminal is dark already, on a dark one in reverse video.
            let (plain, reverse) = (Style.plain, Style(attributes: .reverse))
            (light, dark) = background == .light ? (plain, reverse) : (reverse, plain)
        }
    }
}

extension QRCode {
    /// The light border that the standard asks for, and the least that readers do with on a screen, in modules.
    package static let quietZone = 4
    package static let leastQuietZone = 2

    /// The cells that the code takes with its border.
    package func size(quietZone: Int, _ look: QRCodeLook) -> Size {
        let side = width + 2 * quietZone
        return look.hasBlocks ? Size(rows: (side + 1) / 2, columns: side) : Size(rows: side, columns: 2 * side)
    }

    /// The widest border with which the code fits into `size`; `nil`: it does not fit.
    package func quietZone(within size: Size, _ look: QRCodeLook) -> Int? {
        (Self.leastQuietZone...Self.quietZone).last { quietZone in
            let needed = self.size(quietZone: quietZone, look)
            return needed.rows <= size.rows && needed.columns <= size.columns
        }
    }

    /// The code as cells, its border included.
    package func surface(quietZone: Int, _ look: QRCodeLook) -> Surface {
        let size = size(quietZone: quietZone, look)
        var surface = Surface(size: size, style: look.light)
        for row in 0..<size.rows {
            if look.hasBlocks {
                let glyphs = (0..<size.columns).map { glyph(row: 2 * row - quietZone, column: $0 - quietZone) }
                surface.put(String(glyphs), row: row, column: 0, style: look.light)
            } else {
                for column in 0..<width where isDark(row: row - quietZone, column: column) {
                    surface.fill(row: row, column: 2 * (column + quietZone), width: 2, style: look.dark)
                }
            }
        }
        return surface
    }

    /// The module at `row` and the one below it as one character, in which ink is dark.
    private func glyph(row: Int, column: Int) -> Character {
        let (upper, lower) = (isDark(row: row, column: column), isDark(row: row + 1, column: column))
        return upper ? (lower ? "█" : "▀") : lower ? "▄" : " "
    }
}
