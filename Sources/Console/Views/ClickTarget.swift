import ControlProtocol
package import Terminal

/// What stands at a place of the screen, for the mouse.
package enum ClickTarget: Hashable, Sendable {
    /// A row of the people panel.
    case person(String)
    /// What a key does, by its name, where the key lines say so.
    case action(String)
    case panel(Panel)
    /// One of several calls, from 1.
    case call(Int)
    /// A room of the home screen.
    case room(Int)
    /// What a page has to select.
    case item(Int)
    /// One of the addresses that an invite's link can go by.
    case address(Int)
    /// A choice of a question, or the way back from a page.
    case key(Key)

    /// What stands at `position` of the screen that `ConsoleView.render` draws; `nil`: nothing that a click means.
    package init?(at position: Position, _ model: ConsoleModel, size: Size, look: Look) {
        if let bar = OverlayView.bar(model, size: size, look), position.row >= bar.top {
            guard let key = bar.key(at: position) else { return nil }
            self = .key(key)
            return
        }
        let target =
            model.overlay != nil
            ? Self.onPage(at: position, model, size, look)
            : model.call == nil
                ? HomeView.room(inRow: position.row, model, size, look).map { Self.room($0) }
                : Self.inCall(at: position, model, size)
        guard let target = target ?? Self.onKeyLines(at: position, model, size, look) else { return nil }
        self = target
    }

    /// On a page: what it has to select; its title leads back.
    private static func onPage(at position: Position, _ model: ConsoleModel, _ size: Size, _ look: Look) -> Self? {
        switch model.overlay {
        case nil, .quit, .text, .question: nil
        case .settings(let page) where page.typing != nil: nil
        case _ where position.row == 0: .key(Key(.escape))
        case .settings(let page): SettingsView.item(inRow: position.row, page, size).map { .item($0) }
        case .invite(let page): InviteView.target(at: position, model, page, size, look)
        case .help, .inviteForm, .messages, .devices:
            OverlayView.page(model, columns: size.columns)?
                .item(inRow: position.row, from: model.overlay?.scroll ?? 0, size).map { .item($0) }
        }
    }

    private static func inCall(at position: Position, _ model: ConsoleModel, _ size: Size) -> Self? {
        let layout = ConsoleView.layout(model, size: size)
        if position.row == layout.header {
            return HeaderView.calls(model).first { $0.columns.contains(position.column) }.map { .call($0.number) }
        }
        let panels: [(Panel, Range<Int>?)] = [
            (.people, layout.people), (.stage, layout.stage), (.loss, layout.loss), (.messages, layout.messages),
        ]
        guard let (panel, rows) = panels.first(where: { $0.1?.contains(position.row) == true }), let rows else {
            return nil
        }
        return panel == .people ? person(at: position, rows, model, size) ?? .panel(panel) : .panel(panel)
    }

    private static func onKeyLines(at position: Position, _ model: ConsoleModel, _ size: Size, _ look: Look) -> Self? {
        guard model.overlay == nil else { return nil }
        let rows = model.call == nil ? HomeView.keyLines(size) : ConsoleView.layout(model, size: size).keyLines
        guard let rows, rows.contains(position.row) else { return nil }
        return KeyLinesView.entries(model, rows: rows, columns: size.columns, look)
            .first { $0.row == position.row && $0.columns.contains(position.column) }
            .map { .action($0.binding.action) }
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
    /// Selects, focuses, or does what the key would. A click on what is selected does what enter does.
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
        case .call(let number):
            if calls.dropFirst(number - 1).first?.id != state.activeCall { activate(number: number) }
        case .room(let index) where index == homeSelection: click(.action("join-selected"), at: time)
        case .room(let index): homeSelection = index
        case .address(let index): click(address: index, at: time)
        case .item(let index): click(item: index, at: time)
        case .key(let key): receive(.key(key), at: time)
        case .panel, nil: break
        }
    }

    private mutating func click(item index: Int, at time: ConsoleTime) {
        switch overlay {
        case .settings(var page) where page.selection != index:
            page.move(index - page.selection)
            overlay = .settings(page)
        case .devices(var picker) where picker.selection != index:
            picker.selection = index
            overlay = .devices(picker)
        case .invite(var page) where page.selection != index:
            (page.selection, page.address) = (index, 0)
            overlay = .invite(page)
        case .inviteForm(var form):
            if form.selection == index { form.change(1) }
            form.selection = index
            overlay = .inviteForm(form)
        default: receive(.key(Key(.enter)), at: time)
        }
        followSelection()
    }

    private mutating func click(address index: Int, at time: ConsoleTime) {
        guard case .invite(var page) = overlay else { return }
        if page.address == index { return receive(.key(Key(.enter)), at: time) }
        page.address = index
        overlay = .invite(page)
    }

    /// Scrolls what lies on top: a page, else the panel there that lists people. What is typed or asked stays.
    mutating func scroll(_ notches: Int, at position: Position) {
        switch overlay {
        case nil where call == nil: moveSelection(notches)
        case nil:
            let layout = ConsoleView.layout(self, size: size)
            let lists = [layout.people, lossDetail == .people ? layout.loss : nil]
            if lists.contains(where: { $0?.contains(position.row) == true }) { moveSelection(notches) }
        case .quit, .text, .question: break
        case .settings(let page) where page.typing != nil: break
        case .help, .messages, .invite, .inviteForm, .devices, .settings:
            let key = Key(notches < 0 ? .up : .down)
            for _ in 0..<abs(notches) { receive(.key(key), at: now) }
        }
    }
}
