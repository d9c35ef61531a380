/// Rows and columns.
package struct Size: Hashable, Sendable, CustomStringConvertible {
    package var rows: Int
    package var columns: Int

    package init(rows: Int, columns: Int) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
    }

    package var description: String { "\(columns)×\(rows)" }
}

/// A place on a surface, from 0.
package struct Position: Hashable, Sendable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// A grid of cells that views draw on and the driver shows. Drawing outside it is clipped.
package struct Surface: Hashable, Sendable {
    package let size: Size
    /// Row by row.
    package private(set) var cells: [Cell]
    /// Where the terminal's cursor stands; `nil`: hidden.
    package var cursor: Position?
    /// Where a hidden cursor stands, for those who follow it: screen readers, magnifiers; `nil`: nowhere in particular.
    package var focus: Position?

    package init(size: Size, style: Style = .plain) {
        self.size = size
        cells = Array(repeating: Cell(style: style), count: size.rows * size.columns)
    }

    /// The cell at `row` and `column`; a blank outside the surface.
    package subscript(row: Int, column: Int) -> Cell {
        index(row, column).map { cells[$0] } ?? Cell()
    }

    /// Writes `text` from `column` on, at most `limit` columns of it, and returns the column after it. A wide grapheme
    /// that does not fit leaves a blank.
    @discardableResult
    package mutating func put(
        _ text: String, row: Int, column: Int, style: Style = .plain, limit: Int = .max
    ) -> Int {
        var at = column
        let end = limit > size.columns - column ? size.columns : column + limit
        for cluster in DisplayWidth.clusters(of: text) {
            if at + cluster.width > end {
                if at < end { set(Cell(style: style), row, at) }
                break
            }
            place(cluster, row: row, column: at, style: style)
            at += cluster.width
        }
        return at
    }

    /// Fills a rectangle with one character of one column.
    package mutating func fill(
        row: Int, column: Int = 0, height: Int = 1, width: Int = .max, with text: Character = " ",
        style: Style = .plain
    ) {
        for row in max(0, row)..<max(0, row, min(size.rows, row + height)) {
            let end = width > size.columns - column ? size.columns : column + width
            for column in max(0, column)..<max(0, column, end) {
                set(Cell(text, style: style), row, column)
            }
        }
    }

    /// Leaves whole rows to pictures; `style` shows where they have none. What is drawn over them
    /// afterwards takes whole rows.
    package mutating func leave(rows: Range<Int>, toPicturesOn style: Style) {
        let style = Style(background: style.background, attributes: .pictured)
        fill(row: rows.lowerBound, height: rows.count, style: style)
    }

    /// The rows that are still left to pictures: what was drawn over them since was drawn over whole rows.
    package var pictureRows: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for row in 0..<size.rows where self[row, 0].style.attributes.contains(.pictured) {
            if let last = ranges.last, last.upperBound == row {
                ranges[ranges.count - 1] = last.lowerBound..<row + 1
            } else {
                ranges.append(row..<row + 1)
            }
        }
        return ranges
    }

    /// Copies `other` with its first cell at `row` and `column`; its cursor comes along.
    package mutating func place(_ other: Surface, row: Int, column: Int) {
        for from in 0..<other.size.rows {
            for across in 0..<other.size.columns {
                set(other[from, across], row + from, column + across)
            }
        }
        if let position = other.cursor {
            cursor = Position(row: position.row + row, column: position.column + column)
        }
    }

    /// Changes the look of a stretch of cells and keeps their text.
    package mutating func restyle(row: Int, column: Int, width: Int, _ change: (Style) -> Style) {
        for column in max(0, column)..<max(0, column, min(size.columns, column + width)) {
            guard let index = index(row, column) else { return }
            cells[index].style = change(cells[index].style)
        }
    }

    private static let likenesses: [Character: Character] = [
        "×": "x", "“": "\"", "”": "\"", "‘": "'", "’": "'", "–": "-", "─": "-", "→": ">",
    ]

    /// The surface with everything outside ASCII replaced by what is like it, else by `?`, for terminals without.
    package func asciiOnly() -> Surface {
        var result = self
        for index in result.cells.indices where !result.cells[index].text.isASCII || result.cells[index].isTail {
            result.cells[index].text = Self.likenesses[result.cells[index].text] ?? "?"
            result.cells[index].isTail = false
        }
        return result
    }

    private mutating func place(_ cluster: DisplayWidth.Cluster, row: Int, column: Int, style: Style) {
        if column < 0, column + cluster.width > 0 {
            return set(Cell(style: style), row, 0)
        }
        set(Cell(cluster.text, style: style), row, column)
        if cluster.width == 2 {
            set(Cell(" ", style: style, isTail: true), row, column + 1)
        }
    }

    private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
        guard let index = index(row, column) else { return }
        if cells[index].isTail, !cell.isTail, column > 0 {
            cells[index - 1].text = " "
        }
        if column + 1 < size.columns, cells[index + 1].isTail, !cells[index].isTail {
            cells[index + 1].isTail = false
        }
        cells[index] = cell
    }

    private func index(_ row: Int, _ column: Int) -> Int? {
        guard row >= 0, column >= 0, row < size.rows, column < size.columns else { return nil }
        return row * size.columns + column
    }
}
