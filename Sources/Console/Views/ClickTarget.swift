package import Terminal

/// What stands at a place of the screen, for the mouse.
package enum ClickTarget: Hashable, Sendable {
    /// A row of the people panel.
    case person(String)
    /// What a key does, by its name, where the key lines say so.
    case action(String)
    case panel(Panel)

    /// What stands at `position` of the screen that `ConsoleView.render` draws; `nil`: nothing that a click means.
    package init?(at position: Position, _ model: ConsoleModel, size: Size, look: Look) {
        guard model.overlay == nil, model.asking == nil else { return nil }
        let keyLines: Range<Int>?
        if model.call == nil {
            keyLines = HomeView.keyLines(size)
        } else {
            let layout = ConsoleView.layout(model, size: size)
            keyLines = layout.keyLines
            let panels: [(Panel, Range<Int>?)] = [
                (.people, layout.people), (.stage, layout.stage), (.loss, layout.loss), (.messages, layout.messages),
            ]
            if let (panel, rows) = panels.first(where: { $0.1?.contains(position.row) == true }), let rows {
                self = panel == .people ? Self.person(at: position, rows, model, size) ?? .panel(panel) : .panel(panel)
                return
            }
        }
        guard let keyLines, keyLines.contains(position.row),
            let entry = KeyLinesView.entries(model, rows: keyLines, columns: size.columns, look)
                .first(where: { $0.row == position.row && $0.columns.contains(position.column) })
        else { return nil }
        self = .action(entry.binding.action)
    }

    private static func person(at position: Position, _ rows: Range<Int>, _ model: ConsoleModel, _ size: Size) -> Self?
    {
        let grid = PeopleGrid(model, columns: size.columns)
        let ids = model.visibleRows((rows.count - 1) * grid.blockCount)
        guard let index = grid.index(at: position, rows: rows), index < ids.count else { return nil }
        return .person(ids[ids.startIndex + index])
    }
}

/// What the mouse does.
extension ConsoleModel {
    /// Selects, focuses, or does what the key would.
    package mutating func click(_ target: ClickTarget?, at time: ConsoleTime) {
        now = time
        switch target {
        case .person(let id): selectedID = id
        case .panel(let panel) where panels.contains(panel): focusedPanel = panel
        case .action(let action):
            guard let binding = keys.bindings.first(where: { $0.action == action }), let key = binding.keys.first else {
                return
            }
            receive(.key(key), at: time)
        case .panel, nil: break
        }
    }

    /// Scrolls what lies on top: a page, else the people.
    mutating func scroll(_ notches: Int) {
        guard overlay != nil else { return moveSelection(notches) }
        receive(.key(Key(notches < 0 ? .up : .down)), at: now)
    }
}
