import ControlProtocol
package import Terminal

/// One person's place on the stage: a picture and, where there are several, the name below it.
package struct StageTile: Hashable, Sendable {
    /// The row's id.
    package var id: String
    /// The room of the picture; within it the picture keeps its shape.
    package var area: CellArea
    /// The row of the caption; `nil`: the stage's title says it.
    var captionRow: Int?
    /// Whether the person here looks at themselves, as into a mirror.
    package var isMirrored: Bool

    /// The tiles of a stage, its title's row not included.
    ///
    /// As many columns as let the tiles, whose pictures are taken to be 16 to 9, be largest.
    static func tiles(_ model: ConsoleModel, rows: Range<Int>, columns: Int) -> [StageTile] {
        let ids = model.stageIDs.filter(model.isShowing)
        guard let first = ids.first, !rows.isEmpty, columns > 0 else { return [] }
        if model.stageIDs.count == 1, !model.stage.isGrid { return [whole(first, model, rows: rows, columns: columns)] }
        let across =
            (1...ids.count).max { place(ids.count, $0, rows, columns) < place(ids.count, $1, rows, columns) } ?? 1
        let down = (ids.count + across - 1) / across
        let (width, height) = (columns / across, rows.count / down)
        // A caption without a picture over it is no tile.
        guard height >= 2, width >= 2 else { return [] }
        return ids.enumerated().map { index, id in
            let (row, column) = index.quotientAndRemainder(dividingBy: across)
            let top = rows.lowerBound + row * height
            // A column of cells between neighbours.
            let gap = column + 1 < across ? 1 : 0
            let area = CellArea(
                row: top, column: column * width, size: Size(rows: height - 1, columns: width - gap))
            return StageTile(
                id: id, area: area, captionRow: top + height - 1, isMirrored: isMirrored(id, model))
        }
    }

    /// A picture that has all the room.
    static func whole(_ id: String, _ model: ConsoleModel, rows: Range<Int>, columns: Int) -> StageTile {
        let area = CellArea(row: rows.lowerBound, column: 0, size: Size(rows: rows.count, columns: columns))
        return StageTile(id: id, area: area, captionRow: nil, isMirrored: isMirrored(id, model))
    }

    /// Cells of a picture when `count` tiles stand `across` abreast.
    private static func place(_ count: Int, _ across: Int, _ rows: Range<Int>, _ columns: Int) -> Int {
        let down = (count + across - 1) / across
        let size = Size(rows: rows.count / down - 1, columns: columns / across - 1)
        let box = CellArea(row: 0, column: 0, size: size).letterboxed(width: 16, height: 9).size
        return box.rows * box.columns
    }

    private static func isMirrored(_ id: String, _ model: ConsoleModel) -> Bool {
        id == ConsoleModel.me && model.state.video.source?.isCamera == true
    }
}
