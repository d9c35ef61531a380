import Terminal
import Testing

struct CellAreaTests {
    @Test(arguments: [
        (80, 22, 16, 9, 78, 22), (80, 22, 4, 3, 59, 22), (40, 22, 16, 9, 40, 11), (80, 22, 9, 16, 25, 22),
        (1, 1, 16, 9, 1, 1), (80, 1, 16, 9, 4, 1), (500, 200, 640, 480, 500, 188), (0, 5, 4, 3, 0, 5),
    ])
    func aPictureKeepsItsShape(columns: Int, rows: Int, width: Int, height: Int, across: Int, down: Int) {
        let area = CellArea(row: 3, column: 5, size: Size(rows: rows, columns: columns))
        let box = area.letterboxed(width: width, height: height)
        #expect(box.size == Size(rows: down, columns: across))
        #expect(box.row - area.row == (rows - down) / 2 && box.column - area.column == (columns - across) / 2)
    }

    @Test func squareCellsAreKnown() {
        let area = CellArea(row: 0, column: 0, size: Size(rows: 20, columns: 20))
        #expect(area.letterboxed(width: 2, height: 1, cellShape: (1, 1)).size == Size(rows: 10, columns: 20))
    }
}
