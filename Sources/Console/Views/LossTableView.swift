import ControlProtocol
import Terminal

/// The losses with a row for each person: as many columns as there is room for, the most telling first.
enum LossTableView {
    private struct Column: Sendable {
        var name: String
        var width: Int
        var text: @Sendable (ParticipantFigures, Look) -> String
        var loss: @Sendable (ParticipantFigures) -> Double? = { _ in nil }
        var isLoss = false
    }

    private static let name = 13

    private static let columns = [
        Column(
            name: "AR now", width: 8, text: { Loss.text($0.received?.lossPercent, $1) },
            loss: { $0.received?.lossPercent }, isLoss: true),
        Column(
            name: "AS now", width: 8, text: { Loss.text($0.sent?.lossPercent, $1) }, loss: { $0.sent?.lossPercent },
            isLoss: true),
        Column(name: "RTT", width: 9, text: { unit($0.roundTripMs, "ms", $1) }),
        Column(name: "AR lost", width: 9, text: { count($0.received?.lostCount, $1) }),
        Column(name: "AS lost", width: 9, text: { count($0.sent?.lostCount, $1) }),
        Column(name: "concealed", width: 11, text: { Loss.text($0.received?.concealedPercent, $1) }),
        Column(name: "late", width: 7, text: { Loss.text($0.received?.latePercent, $1) }),
        Column(name: "jitter", width: 9, text: { unit($0.received?.jitterMs, "ms", $1) }),
        Column(name: "buffer", width: 9, text: { unit($0.received?.bufferMs, "ms", $1) }),
        Column(name: "kb/s", width: 7, text: { unit($0.received?.bitrateKbps, "", $1) }),
        Column(name: "MOS", width: 6, text: { $0.mos.map(Loss.tenths) ?? $1.glyphs.unknown }),
    ]

    /// The title, the heading, everybody else, the verdict.
    static func height(_ model: ConsoleModel) -> Int {
        model.rows.count + 2
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        surface.title(
            "Losses of each", right: model.statistics.verdict ?? "", row: rows.lowerBound,
            isFocused: model.focusedPanel == .loss, look)
        guard rows.count > 1 else { return }
        let shown = fitting(surface.size.columns)
        for (column, end) in shown {
            surface.putRight(column.name, row: rows.lowerBound + 1, end: end, style: look[.textFaint])
        }
        let ids = model.visibleRows(rows.count - 1).filter { $0 != ConsoleModel.me }.prefix(rows.count - 2)
        for (row, id) in zip(rows.dropFirst(2), ids) {
            let style = look[id == model.selection ? .personSelected : .text]
            surface.put(id == model.selection ? ">" : " ", row: row, column: 0, style: look[.personSelected])
            let text = DisplayWidth.clip(model.name(of: id), name - 2, ellipsis: look.glyphs.ellipsis)
            surface.put(text, row: row, column: 2, style: style)
            let figures = model.statistics.people[id] ?? ParticipantFigures()
            for (column, end) in shown {
                let style = look[column.isLoss ? Loss.scope(column.loss(figures)) : .text]
                surface.putRight(column.text(figures, look), row: row, end: end, style: style)
            }
        }
    }

    /// The columns that have room, and where each ends.
    private static func fitting(_ width: Int) -> [(Column, end: Int)] {
        var end = name
        var shown: [(Column, end: Int)] = []
        for column in columns where end + column.width <= width {
            end += column.width
            shown.append((column, end))
        }
        return shown
    }

    private static func unit(_ value: Double?, _ unit: String, _ look: Look) -> String {
        value.map { "\(Int($0.rounded()))" + (unit.isEmpty ? "" : " " + unit) } ?? look.glyphs.unknown
    }

    private static func count(_ value: Int?, _ look: Look) -> String {
        value.map { "\($0)" } ?? look.glyphs.unknown
    }
}
