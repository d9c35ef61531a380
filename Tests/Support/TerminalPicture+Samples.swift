extension TerminalPicture {
    /// The console's stage: what its title says, whether somebody is pinned, and the rows below it as far as the next title
    /// or the end.
    package var stage: (title: String, isPinned: Bool, rows: Range<Int>)? {
        panel("Stage: ").map { ($0.title, $0.title.contains(" pinned "), $0.rows) }
    }

    /// The panel whose title begins so: what follows in the title, and the rows below it as far as the next title or the
    /// end.
    package func panel(_ name: String) -> (title: String, rows: Range<Int>)? {
        let lines = lines
        guard let row = lines.firstIndex(where: { $0.hasPrefix("─ " + name) }) else { return nil }
        let end = lines.indices.dropFirst(row + 1).first { lines[$0].hasPrefix("─ ") } ?? lines.count
        return (String(lines[row].dropFirst(name.count + 2)), row + 1..<end)
    }

    /// The part of the screen that blocks of colour fill, as grey samples: two across and six down a cell, so that halves,
    /// quadrants and sextants all come out whole.
    package struct Samples {
        package var width = 0
        package var height = 0
        /// 0…255, row by row.
        package var luma: [UInt8] = []
        /// The mean of each cell: red, green, blue.
        package var colors: Set<UInt32> = []
    }

    /// What pictures show within these cells; `nil`: there are none.
    package func samples(rows: Range<Int>, columns: Range<Int>) -> Samples? {
        let drawn = rows.flatMap { row in
            columns.filter { isPicture(row, $0) }.map { (row: row, column: $0) }
        }
        guard let top = drawn.map(\.row).min(), let bottom = drawn.map(\.row).max(),
            let left = drawn.map(\.column).min(), let right = drawn.map(\.column).max()
        else { return nil }
        var samples = Samples(width: (right - left + 1) * 2, height: (bottom - top + 1) * 6)
        for row in top...bottom {
            for part in 0..<6 {
                for column in left...right {
                    for side in 0..<2 {
                        let isInk = Self.isInk(cells[row][column], across: side, down: part)
                        let colors = colors[row][column]
                        let color = (isInk ? colors.foreground : colors.background) ?? 0
                        let (red, green, blue) = (color >> 16, color >> 8 & 0xFF, color & 0xFF)
                        samples.luma.append(UInt8(clamping: (299 * red + 587 * green + 114 * blue) / 1000))
                        samples.colors.insert(color)
                    }
                }
            }
        }
        return samples
    }

    private func isPicture(_ row: Int, _ column: Int) -> Bool {
        let colors = colors[row][column]
        guard Self.block(cells[row][column]) != nil else { return false }
        return colors.background != nil || cells[row][column] == "█" && colors.foreground != nil
    }

    private static func isInk(_ character: Character, across: Int, down: Int) -> Bool {
        guard let block = block(character) else { return false }
        return block.pattern >> (down * block.rows / 6 * 2 + across) & 1 == 1
    }

    /// A block's rows of two, and which of its parts are ink.
    private static func block(_ character: Character) -> (rows: Int, pattern: Int)? {
        if let pattern = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█").firstIndex(of: character) { return (2, pattern) }
        guard let scalar = character.unicodeScalars.first?.value, (0x1FB00...0x1FB3B).contains(scalar) else {
            return nil
        }
        let index = Int(scalar) - 0x1FB00 + 1
        return (3, index + (index >= 21 ? 1 : 0) + (index >= 41 ? 1 : 0))
    }
}
