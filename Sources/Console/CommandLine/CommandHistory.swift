import Primitives

/// The lines that were typed at the command line, oldest first, and where the user is among them.
package struct CommandHistory: Hashable, Sendable {
    package private(set) var lines: [String]
    /// How many lines back the shown one is; 0: the one that is being typed.
    private var offset = 0
    private var draft = ""

    /// The most lines that are kept.
    package static let limit = 200

    package init(_ lines: [String] = []) {
        self.lines = lines.suffix(Self.limit)
    }

    /// Whether a line may be written to a file: one with a secret is forgotten.
    static func isKept(_ line: String) -> Bool {
        !line.isEmpty && !line.hasControls && !line.contains("#") && !line.contains("value=")
    }

    /// Adds a line that was entered; the same one twice in a row is one.
    package mutating func add(_ line: String) {
        (offset, draft) = (0, "")
        guard Self.isKept(line), lines.last != line else { return }
        lines = (lines + [line]).suffix(Self.limit)
    }

    /// The line before the shown one that begins as `typed` does; `nil`: there is none.
    mutating func previous(_ typed: String) -> String? {
        if offset == 0 { draft = typed }
        let older = lines.dropLast(offset)
        guard let index = older.lastIndex(where: { $0.hasPrefix(draft) && $0 != typed }) else { return nil }
        offset = lines.count - index
        return lines[index]
    }

    /// The line after the shown one that begins as the typed one does, and at last the typed one.
    mutating func next(_ shown: String) -> String? {
        guard offset > 0 else { return nil }
        let newer = lines.suffix(offset - 1)
        guard let index = newer.firstIndex(where: { $0.hasPrefix(draft) && $0 != shown }) else {
            offset = 0
            return draft
        }
        offset = lines.count - index
        return lines[index]
    }

    /// Goes back to the line that is being typed.
    mutating func rest() {
        (offset, draft) = (0, "")
    }
}
