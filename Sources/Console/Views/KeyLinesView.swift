import Terminal

/// The keys that make sense now, from the table that binds them. Labels name what the key will do.
enum KeyLinesView {
    /// Always on the last line, whatever else has no room.
    private static let exits: Set<String> = ["help", "quit"]

    /// A key and its label where they stand.
    struct Entry {
        var binding: KeyBinding
        var row: Int
        var columns: Range<Int>
        var key: String
        var label: String
    }

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        for entry in entries(model, rows: rows, columns: surface.size.columns, look) {
            let isDisabled = entry.binding.reason(model) != nil
            let column = surface.put(
                entry.key, row: entry.row, column: entry.columns.lowerBound,
                style: look[isDisabled ? .keyDisabled : .key])
            surface.put(
                entry.label, row: entry.row, column: column, style: look[isDisabled ? .keyDisabled : .keyLabel])
        }
    }

    /// What has room on the lines.
    static func entries(_ model: ConsoleModel, rows: Range<Int>, columns: Int, _ look: Look) -> [Entry] {
        let offered = model.keys.bindings.filter { $0.line != nil && isShown($0, model) }.sorted { rank($0) < rank($1) }
        let exits = offered.filter { Self.exits.contains($0.action) }
        var entries: [Entry] = []
        for (offset, row) in rows.enumerated() {
            let isLast = offset == rows.count - 1
            let others = offered.filter { !Self.exits.contains($0.action) && $0.line == offset + 1 }
            let kept =
                isLast ? exits.reduce(0) { $0 + place($1, model, row: row, column: 0, look).columns.count + 3 } : 0
            var column = 1
            for (bindings, room) in [(others, columns - kept), (isLast ? exits : [], columns)] {
                for binding in bindings {
                    let entry = place(binding, model, row: row, column: column, look)
                    guard entry.columns.upperBound <= room else { continue }
                    entries.append(entry)
                    column = entry.columns.upperBound + 3
                }
            }
        }
        return entries
    }

    /// In a call a key that cannot be used keeps its place, dimmed; at home, where nothing is under way, it is left out.
    private static func isShown(_ binding: KeyBinding, _ model: ConsoleModel) -> Bool {
        guard binding.isOffered(in: model), !binding.keys.isEmpty else { return false }
        return model.call != nil || !model.isCurrent || binding.reason(model) == nil
    }

    /// The order on the lines: what is needed in a hurry comes first and is the last to find no room.
    private static let order = [
        "mute", "talk", "join-selected", "route", "hold", "silence", "deafen", "louder",
        "select", "all-louder", "close", "chat", "invite", "devices", "ring", "join", "settings", "host", "wait",
    ]

    private static func rank(_ binding: KeyBinding) -> Int {
        order.firstIndex(of: binding.action) ?? order.count
    }

    private static func place(
        _ binding: KeyBinding, _ model: ConsoleModel, row: Int, column: Int, _ look: Look
    ) -> Entry {
        let text = look.glyphs.text(binding.label(model))
        let key = binding.keysText ?? binding.keys.first?.description ?? ""
        let label = text.hasPrefix("/") ? text : " " + text
        return Entry(
            binding: binding, row: row, columns: column..<column + DisplayWidth.of(key + label), key: key, label: label)
    }
}
