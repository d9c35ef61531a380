import ControlProtocol
import Terminal

/// One's own picture on the screen without a call, above the messages: a title, and the picture below it.
enum PreviewView {
    /// Rows of the preview, its title included, of `room` rows that it shares with the rest; 0: none is wished.
    static func height(_ model: ConsoleModel, room: Int) -> Int {
        guard model.isPreviewing else { return 0 }
        let height = room * 2 / 3
        return hasPicture(model) && height >= StageView.leastHeight ? height : min(1, room)
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        guard !rows.isEmpty else { return }
        let key = model.keys.key(of: "preview")
        surface.title(
            look.glyphs.text(title(model, hasRoom: rows.count > 1)), right: "\(key) ends it", row: rows.lowerBound, look
        )
        for tile in tiles(model, rows: rows, columns: surface.size.columns) {
            surface.leave(rows: tile.area.rows, toPicturesOn: look[.text])
        }
    }

    /// The tile below the title in `rows`.
    static func tiles(_ model: ConsoleModel, rows: Range<Int>, columns: Int) -> [StageTile] {
        guard hasPicture(model), rows.count >= StageView.leastHeight else { return [] }
        return [StageTile.whole(ConsoleModel.me, model, rows: rows.dropFirst(), columns: columns)]
    }

    private static func hasPicture(_ model: ConsoleModel) -> Bool {
        model.isCurrent && model.hasMeters && model.isShowing(ConsoleModel.me)
    }

    private static func title(_ model: ConsoleModel, hasRoom: Bool) -> String {
        if let why = model.whyNoPreview { return "No preview: \(why)" }
        if !hasRoom, hasPicture(model) { return "Preview: no room for it" }
        let name = model.state.video.source?.description ?? ""
        if !model.hasMeters { return "Preview of \(name): no motion; meters = on shows it" }
        if model.state.video.isOpen != true { return "Preview of \(name): it is being opened" }
        return "Preview of \(name)\(StageView.ownFigures(model)), seen by nobody else"
    }
}
