import ControlProtocol
import Terminal

/// Pictures of the people, or one line that says why there are none. The pictures themselves are drawn by the console's
/// stage driver on the rows that are left to them here.
enum StageView {
    /// Title, and the least picture that is worth its room.
    static let leastHeight = 5

    /// Rows that the stage needs at least, its title included; 0: there is nobody who could show anything.
    static func leastHeight(_ model: ConsoleModel) -> Int {
        model.hasPictures ? leastHeight : model.rows.count > 1 ? 1 : 0
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        surface.title(
            title(model, rowCount: rows.count), right: hint(model), row: rows.lowerBound,
            isFocused: model.focusedPanel == .stage, look)
        for tile in tiles(model, rows: rows, columns: surface.size.columns) {
            surface.leave(rows: tile.area.rows, toPicturesOn: look[.text])
            guard let row = tile.captionRow else { continue }
            let isSpeaking = tile.id == model.speakingID
            let mark = isSpeaking ? " " + look.glyphs.speaking : ""
            let room = tile.area.size.columns - DisplayWidth.of(mark)
            let text = DisplayWidth.clip(
                look.glyphs.text(caption(tile.id, model)), room, ellipsis: look.glyphs.ellipsis)
            let column = tile.area.column + max(0, room - DisplayWidth.of(text)) / 2
            surface.put(text + mark, row: row, column: column, style: look[isSpeaking ? .personSpeaking : .person])
        }
    }

    /// The tiles below the title in `rows`.
    static func tiles(_ model: ConsoleModel, rows: Range<Int>, columns: Int) -> [StageTile] {
        guard model.hasMeters, rows.count >= leastHeight else { return [] }
        return StageTile.tiles(model, rows: rows.dropFirst(), columns: columns)
    }

    private static func title(_ model: ConsoleModel, rowCount: Int) -> String {
        let ids = model.stageIDs
        if rowCount < leastHeight, model.hasPictures {
            return "Stage: no room; \(model.keys.key(of: "zoom")) enlarges it"
        }
        if !model.hasMeters, model.couldShowPictures { return "Stage: no motion; meters = on shows pictures" }
        if model.stage.isGrid, !ids.isEmpty { return "Stage: all \(ids.count)" }
        let why = model.isPreviewing ? model.whyNoPreview.map { "no preview: \($0)" } : nil
        guard let id = ids.first else { return "Stage: " + (why ?? "nobody shows a picture") }
        return "Stage: " + caption(id, model) + (ids.count > 1 ? ", and you" : "") + (why.map { "; \($0)" } ?? "")
    }

    /// What the keys would do.
    private static func hint(_ model: ConsoleModel) -> String {
        guard model.hasPictures else { return "" }
        return model.stage.pinnedID == nil || model.stage.isGrid ? "" : "pinned"
    }

    /// Name, size and frames a second, as far as they are known.
    static func caption(_ id: String, _ model: ConsoleModel) -> String {
        var words = [model.name(of: id)]
        if !model.isShowing(id) { return "\(words[0]): \(absence(id, model))" }
        if id == ConsoleModel.me { return "you" + ownFigures(model) + (model.isSeenByOthers ? "" : ", only here") }
        let figures = model.statistics.people[id]?.video
        if let width = figures?.width, let height = figures?.height { words.append("\(width)×\(height)") }
        if let rate = figures?.framesPerSecond { words.append("\(Int(rate.rounded())) fps") }
        return words.joined(separator: " ") + (limit(model.call?.people[id]?.picture?.limit).map { ": \($0)" } ?? "")
    }

    /// Of one's own picture, as the source gives it.
    static func ownFigures(_ model: ConsoleModel) -> String {
        guard let source = model.state.video.source, let width = source.width, let height = source.height else {
            return ""
        }
        return " \(width)×\(height)" + (source.frameRate.map { " \($0) fps" } ?? "")
    }

    /// Why it is less than it could be (A79).
    private static func limit(_ limit: VideoLimit?) -> String? {
        switch limit {
        case .smallPicture: "small, the network carries no more"
        case .soundOnly: "the network carries only sound"
        case nil: nil
        }
    }

    /// Why there is no picture.
    private static func absence(_ id: String, _ model: ConsoleModel) -> String {
        switch model.video(of: id) {
        case nil: "no video"
        case .off: "video off"
        case .camera, .share: "hidden here; \(model.keys.key(of: "hide")) looks again"
        }
    }
}
