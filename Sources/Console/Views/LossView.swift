import ControlProtocol
import Terminal

/// Who loses whom, and all about the selected person's two streams: side by side where the screen is wide, else one
/// above the other where it is tall, else the selected person's alone.
enum LossView {
    /// How the matrix stands to the figures.
    private enum Arrangement {
        case beside(LossMatrixView.Columns)
        case above(LossMatrixView.Columns)
        case figuresOnly
    }

    /// Columns that the selected person's figures need beside the matrix.
    private static let leastWidth = 37

    /// The rows that the panel would fill of `size`, its title included; 0: there is nobody to show.
    static func height(_ model: ConsoleModel, within size: Size) -> Int {
        switch model.lossDetail {
        case .line: return model.rows.count > 1 ? 1 : 0
        case .people: return model.rows.count > 1 ? LossTableView.height(model) : 0
        case .full: break
        }
        guard model.selectedPerson != nil else { return 0 }
        let matrix = LossMatrixView.height(model)
        return switch arrangement(model, size) {
        case .beside(let columns): 1 + max(figuresHeight(model, columns: size.columns - columns.width - 3), matrix)
        case .above: 1 + matrix + 1 + figuresHeight(model, columns: size.columns)
        case .figuresOnly: 2 + figuresHeight(model, columns: size.columns)
        }
    }

    /// The rows of the selected person's figures.
    private static func figuresHeight(_ model: ConsoleModel, columns: Int) -> Int {
        let figures = model.selectedPerson.flatMap { model.statistics.people[$0.id] }
        let count = (figures?.video == nil ? 0 : 1) + (figures?.videoSent == nil ? 0 : 1)
        return FiguresText.height(width: columns, pictureStreams: count)
    }

    private static func arrangement(_ model: ConsoleModel, _ size: Size) -> Arrangement {
        if let beside = LossMatrixView.Columns(model, width: size.columns - 3 - leastWidth) { return .beside(beside) }
        let height = 1 + LossMatrixView.height(model) + 1 + figuresHeight(model, columns: size.columns)
        if size.rows >= height, let above = LossMatrixView.Columns(model, width: size.columns) { return .above(above) }
        return .figuresOnly
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        switch model.lossDetail {
        case .line: return drawLine(model, on: &surface, row: rows.lowerBound, look)
        case .people: return LossTableView.draw(model, on: &surface, rows: rows, look)
        case .full: break
        }
        guard let person = model.selectedPerson else { return }
        let path = person.path.map { "\(person.name): \($0)" + (person.isRelayed ? ", relayed" : ", no relay") }
        let body = rows.lowerBound + 1..<rows.upperBound
        var title = "Who loses whom, 10 s"
        switch arrangement(model, Size(rows: rows.count, columns: surface.size.columns)) {
        case .beside(let columns):
            LossMatrixView.draw(model, on: &surface, rows: body, columns, width: columns.width, look)
            for row in body {
                surface.put(look.glyphs.divider, row: row, column: columns.width + 1, style: look[.panelRule])
            }
            drawFigures(person, model, on: &surface, rows: body, column: columns.width + 3, look)
        case .above(let columns):
            let matrix = body.lowerBound..<body.lowerBound + LossMatrixView.height(model)
            LossMatrixView.draw(model, on: &surface, rows: matrix, columns, width: surface.size.columns, look)
            let rest = matrix.upperBound + 1..<body.upperBound
            surface.title("Loss of \(person.name)", row: matrix.upperBound, look)
            drawFigures(person, model, on: &surface, rows: rest, column: 1, look)
        case .figuresOnly:
            title = "Loss of \(person.name)"
            drawFigures(person, model, on: &surface, rows: body, column: 1, verdict: model.statistics.verdict, look)
        }
        surface.title(
            title, right: look.glyphs.text(path ?? ""), row: rows.lowerBound, isFocused: model.focusedPanel == .loss,
            look)
    }

    /// The panel in one line: the selected person's figures, and what is said of all.
    private static func drawLine(_ model: ConsoleModel, on surface: inout Surface, row: Int, _ look: Look) {
        var text = "Loss"
        if let person = model.selectedPerson {
            let figures = model.statistics.people[person.id]
            text += " of \(person.name): AR \(Loss.text(figures?.received?.lossPercent, look))"
            text += "  AS \(Loss.text(figures?.sent?.lossPercent, look))"
        }
        surface.title(
            text, right: model.statistics.verdict ?? "", row: row, isFocused: model.focusedPanel == .loss, look)
    }

    private static func drawFigures(
        _ person: Participant, _ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, column: Int,
        verdict: String? = nil, _ look: Look
    ) {
        let width = surface.size.columns - column
        var lines = FiguresText(look: look, width: width).lines(of: person, model)
        if let verdict { lines.insert((verdict, .lossBad), at: min(3, lines.count)) }
        for (row, line) in zip(rows, lines) {
            let text = DisplayWidth.clip(look.glyphs.text(line.0), width, ellipsis: look.glyphs.ellipsis)
            surface.put(text, row: row, column: column, style: look[line.1])
        }
    }
}
