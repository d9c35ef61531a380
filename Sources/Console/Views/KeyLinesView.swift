import Terminal

/// The keys that make sense now, from the table that binds them. Labels name what the key will do.
enum KeyLinesView {
    /// Always on the last line, whatever else has no room.
    private static let exits: Set<String> = ["help", "quit"]

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        let offered = model.keys.bindings.filter { $0.line != nil && $0.isOffered(in: model) && !$0.keys.isEmpty }
            .sorted { rank($0) < rank($1) }
        let exits = offered.filter { Self.exits.contains($0.action) }
        for (offset, row) in rows.enumerated() {
            let isLast = offset == rows.count - 1
            let others = offered.filter { !Self.exits.contains($0.action) && $0.line == offset + 1 }
            let room = surface.size.columns - (isLast ? width(of: exits, model, look) : 0)
            var column = drawLine(others, model, on: &surface, row: row, column: 1, room: room, look)
            if isLast {
                column = drawLine(
                    exits, model, on: &surface, row: row, column: column, room: surface.size.columns, look)
            }
        }
    }

    /// The order on the lines: what is needed in a hurry comes first and is the last to find no room.
    private static let order = [
        "mute", "join-selected", "route", "hold", "silence", "deafen", "louder",
        "select", "all-louder", "close", "chat", "invite", "devices", "ring", "join",
    ]

    private static func rank(_ binding: KeyBinding) -> Int {
        order.firstIndex(of: binding.action) ?? order.count
    }

    private static func drawLine(
        _ bindings: [KeyBinding], _ model: ConsoleModel, on surface: inout Surface, row: Int, column start: Int,
        room: Int, _ look: Look
    ) -> Int {
        var column = start
        for binding in bindings {
            let (key, label) = texts(of: binding, model, look)
            guard column + DisplayWidth.of(key + label) <= room else { continue }
            let isDisabled = binding.reason(model) != nil
            column = surface.put(key, row: row, column: column, style: look[isDisabled ? .keyDisabled : .key])
            column = surface.put(label, row: row, column: column, style: look[isDisabled ? .keyDisabled : .keyLabel])
            column += 3
        }
        return column
    }

    private static func width(of bindings: [KeyBinding], _ model: ConsoleModel, _ look: Look) -> Int {
        bindings.reduce(0) { sum, binding in
            let (key, label) = texts(of: binding, model, look)
            return sum + DisplayWidth.of(key + label) + 3
        }
    }

    private static func texts(
        of binding: KeyBinding, _ model: ConsoleModel, _ look: Look
    ) -> (key: String, label: String) {
        let label = look.glyphs.text(binding.label(model))
        return (binding.keysText ?? binding.keys.first?.description ?? "", label.hasPrefix("/") ? label : " " + label)
    }
}
