import ControlProtocol
import Terminal

/// Per cent lost in the last 10 s: a row for each speaker, a column for each listener, the verdict below.
enum LossMatrixView {
    private static let nameWidth = 9
    private static let cellWidth = 7
    private static let shownPeople = 6

    private static func ids(_ model: ConsoleModel) -> ArraySlice<String> {
        let rows = model.rows
        guard rows.count > shownPeople, let selected = model.selection.flatMap({ rows.firstIndex(of: $0) }) else {
            return rows.prefix(shownPeople)
        }
        let start = min(max(0, selected - shownPeople / 2), rows.count - shownPeople)
        return rows[start..<start + shownPeople]
    }

    static func width(_ model: ConsoleModel) -> Int {
        nameWidth + cellWidth * ids(model).count
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, width: Int, _ look: Look) {
        let ids = ids(model)
        surface.put(" speaker", row: rows.lowerBound, column: 0, style: look[.textFaint])
        for (index, id) in ids.enumerated() {
            let name = DisplayWidth.clip(model.name(of: id), cellWidth - 1, ellipsis: look.glyphs.ellipsis)
            let end = nameWidth + (index + 1) * cellWidth
            surface.putRight(name, row: rows.lowerBound, end: end, style: look[.textFaint])
        }
        let fitting = max(0, rows.count - 2)
        for (offset, speaker) in ids.prefix(fitting).enumerated() {
            drawRow(speaker, ids, model, on: &surface, row: rows.lowerBound + 1 + offset, look)
        }
        if let verdict = model.statistics.verdict {
            surface.put(" \(verdict)", row: rows.upperBound - 1, column: 0, style: look[.lossBad], limit: width)
        }
    }

    private static func drawRow(
        _ speaker: String, _ ids: ArraySlice<String>, _ model: ConsoleModel, on surface: inout Surface, row: Int,
        _ look: Look
    ) {
        let name = DisplayWidth.clip(model.name(of: speaker), nameWidth - 2, ellipsis: look.glyphs.ellipsis)
        let style = look[speaker == model.selection ? .personSelected : .text]
        surface.put(name, row: row, column: 1, style: style, limit: nameWidth - 1)
        for (index, listener) in ids.enumerated() {
            let loss = speaker == listener ? nil : model.statistics.lossMatrix[speaker]?[listener]
            let end = nameWidth + (index + 1) * cellWidth
            surface.putRight(Loss.text(loss, look), row: row, end: end, style: look[Loss.scope(loss)])
        }
    }
}
