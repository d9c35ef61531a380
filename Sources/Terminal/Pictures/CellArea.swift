/// A rectangle of cells on the screen, from 0.
package struct CellArea: Hashable, Sendable {
    package var row: Int
    package var column: Int
    package var size: Size

    package init(row: Int, column: Int, size: Size) {
        self.row = row
        self.column = column
        self.size = size
    }

    package var rows: Range<Int> { row..<row + size.rows }
    package var columns: Range<Int> { column..<column + size.columns }

    /// The largest area in the middle of this one in which a picture of `width` to `height` keeps its shape.
    ///
    /// - Parameter cellShape: width and height of a cell, in any unit.
    package func letterboxed(width: Int, height: Int, cellShape: (width: Int, height: Int) = (1, 2)) -> CellArea {
        let (across, down) = (width * cellShape.height, height * cellShape.width)
        guard across > 0, down > 0, size.rows > 0, size.columns > 0 else { return self }
        // A picture of `across` × `down` cells' shapes has the right proportions.
        let columns = min(size.columns, max(1, (size.rows * across + down / 2) / down))
        let rows = min(size.rows, max(1, (size.columns * down + across / 2) / across))
        return CellArea(
            row: row + (size.rows - rows) / 2, column: column + (size.columns - columns) / 2,
            size: Size(rows: rows, columns: columns))
    }
}
