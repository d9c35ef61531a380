import Terminal

/// A whole screen of lines over everything else, to scroll through.
struct Page {
    var title: String
    var lines: [(text: String, scope: Scope)]
    /// The line that must be seen, where keys move a selection; `nil`: they scroll.
    var selection: Int?
    /// What a line stands for, by its index, where it can be selected.
    var items: [Int: Int] = [:]

    /// Rows of lines on a screen of that size.
    private static func room(_ size: Size) -> Int {
        max(0, size.rows - 1)
    }

    /// The highest first line that leaves no blank below the last.
    func scrollLimit(_ size: Size) -> Int {
        max(0, lines.count - Self.room(size))
    }

    /// The first line that is shown: `scroll`, or where a selection is to be seen, and the title above it, one near it.
    func start(from scroll: Int, _ size: Size) -> Int {
        let wanted = selection.map { max(min(scroll, $0 - 1), $0 - Self.room(size) + 1) } ?? scroll
        return max(0, min(wanted, scrollLimit(size)))
    }

    /// What stands in that row of the screen; `nil`: nothing to select.
    func item(inRow row: Int, from scroll: Int, _ size: Size) -> Int? {
        row > 0 && row < size.rows ? items[start(from: scroll, size) + row - 1] : nil
    }

    func draw(from scroll: Int, on surface: inout Surface, _ look: Look) {
        surface.fill(row: 0, height: surface.size.rows, style: look[.text])
        let limit = scrollLimit(surface.size)
        let start = start(from: scroll, surface.size)
        surface.focus = Position(row: selection.map { $0 - start + 1 } ?? 0, column: 0)
        let end = min(lines.count, start + Self.room(surface.size))
        let hint =
            limit > 0 && selection == nil
            ? "\(start + 1)-\(end) of \(lines.count), j and k scroll, esc back" : "esc back"
        surface.title(title, right: hint, row: 0, look)
        for (offset, line) in lines[start..<end].enumerated() {
            let text = DisplayWidth.clip(
                look.glyphs.text(line.text), surface.size.columns - 2, ellipsis: look.glyphs.ellipsis)
            surface.put(text, row: offset + 1, column: 1, style: look[line.scope])
        }
    }

    /// An entry and what it means, in lines of at most `width` columns: further lines of the meaning stand below its
    /// first, or all of them below the name where there is little room.
    static func entry(_ name: String, _ meaning: String, indent: Int, width: Int) -> [String] {
        guard width >= 3 * indent else {
            return ["  " + name] + wrapped(meaning, width: width - 4).map { "    " + $0 }
        }
        let rows = wrapped(meaning, width: width - indent)
        let (start, blank) = ("  " + DisplayWidth.fit(name, indent - 2), String(repeating: " ", count: indent))
        return rows.enumerated().map { ($0.offset == 0 ? start : blank) + $0.element }
    }

    /// `text` in lines of `width` columns, wherever that breaks it: a link is to be whole.
    static func broken(_ text: String, width: Int) -> [String] {
        var rows = [""]
        var used = 0
        for cluster in DisplayWidth.clusters(of: text) {
            if used > 0, used + cluster.width > width {
                rows.append("")
                used = 0
            }
            rows[rows.count - 1].append(cluster.text)
            used += cluster.width
        }
        return rows
    }

    /// The words of `text` in lines of at most `width` columns; a word that is longer is broken.
    static func wrapped(_ text: String, width: Int) -> [String] {
        let width = max(1, width)
        return text.split(separator: " ").reduce(into: []) { rows, word in
            let word = String(word)
            if let last = rows.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(word) <= width {
                rows[rows.count - 1] = last + " " + word
            } else {
                rows += DisplayWidth.of(word) <= width ? [word] : broken(word, width: width)
            }
        }
    }
}
