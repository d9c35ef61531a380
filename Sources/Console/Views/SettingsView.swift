import ControlProtocol
import Terminal

/// The settings in their groups, and below them what the selected one is and can be.
enum SettingsView {
    private typealias Line = (text: String, scope: Scope)

    /// Columns of the names.
    private static let name = 24

    static func draw(_ model: ConsoleModel, _ page: SettingsPage, on surface: inout Surface, _ look: Look) {
        let meaning = meaning(page, width: surface.size.columns - 2).prefix(meaningHeight(surface.size))
        let top = listHeight(page, surface.size)
        var list = Surface(size: Size(rows: top, columns: surface.size.columns), style: look[.text])
        lines(page).draw(from: page.top, on: &list, look)
        surface.place(list, row: 0, column: 0)
        surface.focus = list.focus
        surface.fill(row: top, height: surface.size.rows - top, style: look[.text])
        for (offset, line) in meaning.enumerated() {
            surface.put(look.glyphs.text(line.text), row: top + offset, column: 1, style: look[line.scope])
        }
    }

    /// The setting in that row of the screen.
    static func item(inRow row: Int, _ page: SettingsPage, _ size: Size) -> Int? {
        lines(page).item(inRow: row, from: page.top, Size(rows: listHeight(page, size), columns: size.columns))
    }

    /// The first line that is shown.
    static func start(_ page: SettingsPage, _ size: Size) -> Int {
        lines(page).start(from: page.top, Size(rows: listHeight(page, size), columns: size.columns))
    }

    /// The rows of the list: as many for every setting, so that it stands still.
    private static func listHeight(_ page: SettingsPage, _ size: Size) -> Int {
        max(1, size.rows - (page.typing == nil ? 0 : 1) - meaningHeight(size))
    }

    private static func meaningHeight(_ size: Size) -> Int {
        size.rows >= 12 ? 3 : 1
    }

    private static func lines(_ page: SettingsPage) -> Page {
        var lines: [Line] = page.isLoaded ? [] : [("asking the core…", .textFaint)]
        var selection = 0
        var items: [Int: Int] = [:]
        var group = Substring()
        for (index, setting) in page.settings.enumerated() {
            let parts = setting.name.split(separator: ".", maxSplits: 1)
            if parts[0] != group {
                group = parts[0]
                lines.append((String(group), .panelTitle))
            }
            let isSelected = index == page.selection
            if isSelected { selection = lines.count }
            items[lines.count] = index
            let text = SettingState.text(of: setting.value)
            let row = "\(isSelected ? ">" : " ") " + DisplayWidth.fit(String(parts.last ?? ""), name - 2) + text
            let isChanged = setting.value != setting.fallback
            lines.append((row, isSelected ? .personSelected : isChanged ? .textStrong : .text))
        }
        return Page(
            title: "Settings: enter changes, x resets, / finds", lines: lines, selection: selection, items: items
        )
    }

    /// What is wrong, else what the selected one is for, what it can be, and what it is when nothing is written.
    private static func meaning(_ page: SettingsPage, width: Int) -> [Line] {
        guard let setting = page.selected else { return [] }
        if let refusal = page.refusal { return Page.wrapped(refusal, width: width).map { ($0, .messageError) } }
        let fallback = SettingState.text(of: setting.fallback)
        let range =
            setting.kind == .text ? "" : " (\(setting.values)\(fallback.isEmpty ? "" : "; \(fallback) by itself"))"
        return Page.wrapped(setting.summary + range, width: width).map { ($0, .textFaint) }
    }
}
