import ControlProtocol
import Terminal

/// Per cent lost in the last 10 s: a row for each speaker, a column for each listener, the verdict below.
enum LossMatrixView {
    /// Where the columns are: one for each person of the call.
    struct Columns: Hashable {
        /// Widths of the names and of the cells, the widest first.
        private static let widths = [(name: 18, cell: 14), (name: 9, cell: 7), (name: 9, cell: 6)]
        /// Columns that have to be left over beside the widest: figures tell more than whole names.
        private static let leastBeside = 75

        let name: Int
        let cell: Int
        let count: Int

        /// The widest columns that fit into `width`; `nil`: not everybody fits.
        init?(_ model: ConsoleModel, width: Int) {
            let count = model.rows.count
            let fitting = Self.widths.enumerated().first { offset, widths in
                widths.name + widths.cell * count <= width - (offset == 0 ? Self.leastBeside : 0)
            }
            guard let (_, widths) = fitting else { return nil }
            (name, cell, self.count) = (widths.name, widths.cell, count)
        }

        var width: Int { name + cell * count }

        /// The end of a listener's column.
        func end(_ index: Int) -> Int { name + (index + 1) * cell }
    }

    /// The heading, everybody, the verdict.
    static func height(_ model: ConsoleModel) -> Int {
        model.rows.count + 2
    }

    /// - Parameter width: what the verdict may take.
    static func draw(
        _ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ columns: Columns, width: Int, _ look: Look
    ) {
        surface.put(" speaker", row: rows.lowerBound, column: 0, style: look[.textFaint])
        for (index, id) in model.rows.enumerated() {
            let name = DisplayWidth.clip(model.name(of: id), columns.cell - 1, ellipsis: look.glyphs.ellipsis)
            surface.putRight(name, row: rows.lowerBound, end: columns.end(index), style: look[.textFaint])
        }
        let verdict = model.statistics.verdict
        let count = rows.count - 1 - (verdict == nil ? 0 : 1)
        for (offset, speaker) in model.visibleRows(count).enumerated() {
            drawRow(speaker, model, on: &surface, row: rows.lowerBound + 1 + offset, columns, look)
        }
        if let verdict {
            let text = DisplayWidth.clip(" " + verdict, width, ellipsis: look.glyphs.ellipsis)
            surface.put(text, row: rows.upperBound - 1, column: 0, style: look[.lossBad])
        }
    }

    private static func drawRow(
        _ speaker: String, _ model: ConsoleModel, on surface: inout Surface, row: Int, _ columns: Columns, _ look: Look
    ) {
        let name = DisplayWidth.clip(model.name(of: speaker), columns.name - 2, ellipsis: look.glyphs.ellipsis)
        let style = look[speaker == model.selection ? .personSelected : .text]
        surface.put(name, row: row, column: 1, style: style, limit: columns.name - 1)
        for (index, listener) in model.rows.enumerated() {
            let loss = speaker == listener ? nil : model.statistics.lossMatrix[speaker]?[listener]
            let text = Loss.text(loss, look, width: columns.cell - 1)
            surface.putRight(text, row: row, end: columns.end(index), style: look[Loss.scope(loss)])
        }
    }
}
