package import Terminal

/// The whole screen, as a pure function of model, size and look.
package enum ConsoleView {
    package static func render(_ model: ConsoleModel, size: Size, look: Look) -> Surface {
        var surface = Surface(size: size, style: look[.text])
        guard size.rows > 0, size.columns > 0 else { return surface }
        if model.call == nil {
            HomeView.draw(model, on: &surface, look)
        } else {
            drawCall(model, on: &surface, look)
        }
        OverlayView.draw(model, on: &surface, look)
        // Where nothing moves, the cursor can show where one is.
        if !model.hasMeters, surface.cursor == nil { surface.cursor = surface.focus }
        return look.glyphs == .ascii ? surface.asciiOnly() : surface
    }

    private static func drawCall(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        let layout = layout(model, size: surface.size)
        if let row = layout.header { HeaderView.draw(model, on: &surface, row: row, look) }
        MicrophoneView.draw(model, on: &surface, row: layout.microphone, look)
        if let rows = layout.people { PeopleView.draw(model, on: &surface, rows: rows, look) }
        if let rows = layout.stage { StageView.draw(model, on: &surface, rows: rows, look) }
        if let rows = layout.loss { LossView.draw(model, on: &surface, rows: rows, look) }
        if let rows = layout.messages { MessagesView.draw(model, on: &surface, rows: rows, look) }
        if let rows = layout.keyLines { KeyLinesView.draw(model, on: &surface, rows: rows, look) }
    }
}

extension ConsoleView {
    static func layout(_ model: ConsoleModel, size: Size) -> ScreenLayout {
        let grid = PeopleGrid(model, columns: size.columns)
        let peopleCount = grid.height(PeopleGrid.rowCount(model))
        let stage = ScreenLayout.StageWish(
            leastHeight: StageView.leastHeight(model), grows: model.hasPictures,
            isLarge: model.zoomedPanel == .stage)
        let room = ScreenLayout.roomForLoss(size: size, peopleCount: peopleCount, stage: stage)
        return ScreenLayout(
            size: size, peopleCount: peopleCount, lossHeight: LossView.height(model, within: room), stage: stage,
            zoomed: model.zoomedPanel)
    }

    /// Where pictures stand on the screen that `render` draws, covered ones too.
    package static func stageTiles(_ model: ConsoleModel, size: Size) -> [StageTile] {
        guard model.call != nil else {
            return PreviewView.tiles(model, rows: HomeView.previewRows(model, size), columns: size.columns)
        }
        guard let rows = layout(model, size: size).stage else { return [] }
        return StageView.tiles(model, rows: rows, columns: size.columns)
    }
}

extension Surface {
    /// Draws a panel's title, marked where the panel was chosen, over a rule across the whole row; `right` stands at its
    /// end where there is room.
    mutating func title(_ text: String, right: String = "", row: Int, isFocused: Bool = false, _ look: Look) {
        let rule = Character(look.glyphs.rule)
        fill(row: row, with: rule, style: look[.panelRule])
        let end = put(" \(text) ", row: row, column: 1, style: look[isFocused ? .panelTitleFocused : .panelTitle])
        let width = DisplayWidth.of(right)
        if width > 0, end + width + 3 < size.columns {
            put(" \(right) ", row: row, column: size.columns - width - 3, style: look[.textFaint])
        }
    }

    /// Writes `text` so that it ends before `end`.
    mutating func putRight(_ text: String, row: Int, end: Int, style: Style) {
        let width = DisplayWidth.of(text)
        put(text, row: row, column: end - width, style: style, limit: width)
    }
}
