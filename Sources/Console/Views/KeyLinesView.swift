import Terminal

/// The keys that make sense now, from the table that binds them. Labels name what the key will do.
enum KeyLinesView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        for (offset, row) in rows.enumerated() {
            drawLine(offset + 1, model, on: &surface, row: row, isOnly: rows.count == 1, look)
        }
    }

    private static func drawLine(
        _ line: Int, _ model: ConsoleModel, on surface: inout Surface, row: Int, isOnly: Bool, _ look: Look
    ) {
        var bindings = model.keys.bindings.filter { $0.line == line && $0.isOffered(in: model) && !$0.keys.isEmpty }
        // With one line only, the way out and the help come first: the rest is in the help.
        if isOnly {
            let exits = model.keys.bindings.filter { ["help", "quit"].contains($0.action) }
            bindings = bindings.prefix(3) + exits + bindings.dropFirst(3)
        }
        var column = 1
        for binding in bindings {
            let key = binding.keysText ?? binding.keys.first?.description ?? ""
            let label = look.glyphs.text(binding.label(model))
            let joint = label.hasPrefix("/") ? "" : " "
            let width = DisplayWidth.of(key) + DisplayWidth.of(joint + label)
            guard column + width <= surface.size.columns else { continue }
            let isDisabled = binding.reason(model) != nil
            column = surface.put(key, row: row, column: column, style: look[isDisabled ? .keyDisabled : .key])
            column = surface.put(
                joint + label, row: row, column: column, style: look[isDisabled ? .keyDisabled : .keyLabel])
            column += 3
        }
    }
}
