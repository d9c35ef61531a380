import Terminal

/// A question over the lowest rows: each choice is a key and what it does, in as many rows as they need. The microphone
/// line is never covered.
struct QuestionBar {
    /// A key of a question and what it does.
    struct Choice {
        var key: Key
        var label: String
        /// Where there is little room.
        var short: String?
    }

    private struct Piece {
        var text: String
        var scope: Scope
        var columns: Range<Int>
        var key: Key?
    }

    private let rows: [[Piece]]
    /// The uppermost row.
    let top: Int

    init(_ question: String, _ choices: [Choice], size: Size, _ look: Look) {
        var rows = Self.rows(question, choices, columns: size.columns, look)
        if rows.count > 2 {
            let short = choices.map { Choice(key: $0.key, label: $0.short ?? $0.label) }
            rows = Self.rows(question, short, columns: size.columns, look)
        }
        self.rows = Array(rows.prefix(max(1, size.rows - 2)))
        top = size.rows - self.rows.count
    }

    func draw(on surface: inout Surface, _ look: Look) {
        for (offset, pieces) in rows.enumerated() {
            surface.fill(row: top + offset, style: look[.prompt])
            for piece in pieces {
                surface.put(
                    piece.text, row: top + offset, column: piece.columns.lowerBound, style: look[piece.scope])
            }
        }
    }

    /// The key of the choice at `position`.
    func key(at position: Position) -> Key? {
        guard rows.indices.contains(position.row - top) else { return nil }
        return rows[position.row - top].first { $0.columns.contains(position.column) }?.key
    }

    private static func rows(_ question: String, _ choices: [Choice], columns: Int, _ look: Look) -> [[Piece]] {
        var rows: [[Piece]] = [[]]
        func put(_ text: String, _ scope: Scope, _ key: Key?) {
            let start = rows[rows.count - 1].last?.columns.upperBound ?? 1
            let piece = Piece(text: text, scope: scope, columns: start..<start + DisplayWidth.of(text), key: key)
            rows[rows.count - 1].append(piece)
        }
        if !question.isEmpty { put(look.glyphs.text(DisplayWidth.clip(question, columns - 2)) + "  ", .prompt, nil) }
        for choice in choices {
            let (key, label) = (choice.key.description, " " + look.glyphs.text(choice.label))
            let start = rows[rows.count - 1].last?.columns.upperBound ?? 1
            if start + DisplayWidth.of(key + label) > columns, start > 1 { rows.append([]) }
            put(key, .promptKey, choice.key)
            put(label, .prompt, choice.key)
            put("  ", .prompt, nil)
        }
        return rows
    }
}
