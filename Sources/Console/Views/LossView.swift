import ControlProtocol
import Terminal

/// Who loses whom, and all about the selected person's two streams.
enum LossView {
    /// Columns that the selected person's figures need beside the matrix.
    private static let leastWidth = 40

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        guard let person = model.selectedPerson else { return }
        let matrixWidth = LossMatrixView.width(model)
        let showsMatrix = surface.size.columns >= matrixWidth + 3 + leastWidth
        let path = person.path.map { "\(person.name): \($0)" + (person.isRelayed ? ", relayed" : ", no relay") }
        surface.title(
            showsMatrix ? "Who loses whom, 10 s" : "Loss of \(person.name)", right: look.glyphs.text(path ?? ""),
            row: rows.lowerBound, look)
        let body = rows.lowerBound + 1..<rows.upperBound
        var column = 1
        if showsMatrix {
            LossMatrixView.draw(model, on: &surface, rows: body, width: matrixWidth, look)
            for row in body {
                surface.put(look.glyphs.divider, row: row, column: matrixWidth + 1, style: look[.panelRule])
            }
            column = matrixWidth + 3
        }
        let width = surface.size.columns - column
        var lines = FiguresText(look: look, width: width).lines(of: person, model)
        if !showsMatrix, let verdict = model.statistics.verdict {
            lines.insert((verdict, .lossBad), at: min(3, lines.count))
        }
        for (row, line) in zip(body, lines) {
            let text = DisplayWidth.clip(look.glyphs.text(line.0), width, ellipsis: look.glyphs.ellipsis)
            surface.put(text, row: row, column: column, style: look[line.1])
        }
    }
}
