/// What a terminal of the xterm kind shows after the given bytes: enough of one to read what ncurses draws.
package struct TerminalPicture {
    package private(set) var cells: [[Character]]
    /// Private modes that were set or reset, by number: 25 the cursor, 1049 the alternate screen, 2004 bracketed paste…
    package private(set) var privateModes: [Int: Bool] = [:]
    package private(set) var unknown: [String] = []
    /// What was sent to the clipboard last, in Base64.
    package private(set) var clipboard: String?
    /// How often the terminal was asked for its state.
    package private(set) var questionCount = 0
    /// The colours of each cell.
    package private(set) var colors: [[TerminalColors]]
    /// The flags of the kitty keyboard protocol that were pushed and not taken back, on either screen of its own.
    package private(set) var keyboardFlags: (main: [Int], alternate: [Int]) = ([], [])
    /// How often the terminal was asked for them.
    package private(set) var keyboardQuestionCount = 0
    private var pen = TerminalColors()
    private var row = 0
    private var column = 0
    /// The rows that scroll.
    private var region: Range<Int>
    private var last: Character = " "
    private var saved = (row: 0, column: 0, pen: TerminalColors())

    package init(rows: Int, columns: Int) {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        colors = Array(repeating: Array(repeating: TerminalColors(), count: columns), count: rows)
        region = 0..<rows
    }

    /// Where the cursor stands, seen or hidden.
    package var cursor: (row: Int, column: Int) { (row, column) }

    package var isAlternate: Bool { privateModes[1049] == true }
    package var isCursorVisible: Bool { privateModes[25] != false }

    package var lines: [String] {
        cells.map { row in
            var line = String(row.filter { $0 != "\0" })
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package mutating func show(_ bytes: [UInt8]) {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1B}": escape(&scalars)
            case "\r": column = 0
            case "\n":
                if row + 1 == region.upperBound {
                    scroll(by: 1, from: region.lowerBound)
                } else {
                    row = min(row + 1, cells.count - 1)
                }
            case "\u{8}": column = max(0, column - 1)
            case "\t": column = min((column / 8 + 1) * 8, cells[0].count - 1)
            case "\u{7}", "\0", "\u{F}", "\u{E}": break
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        let scalar = character.unicodeScalars.first?.value ?? 0
        if scalar >= 0x300, scalar < 0x370, column > 0 {
            cells[row][column - 1] = Character(String(cells[row][column - 1]) + String(character))
            return
        }
        let isSextant = (0x1FB00...0x1FBFF).contains(scalar)
        let isWide = (0x3000...0xFF60).contains(scalar) || scalar >= 0x1F300 && !isSextant
        guard column < cells[row].count else { return }
        cells[row][column] = character
        colors[row][column] = pen
        if isWide, column + 1 < cells[row].count { cells[row][column + 1] = "\0" }
        column += isWide ? 2 : 1
        last = character
    }

    private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
        guard let kind = rest.popFirst() else { return }
        switch kind {
        case "[":
            var body = ""
            while let scalar = rest.popFirst() {
                if (0x40...0x7E).contains(scalar.value) { return control(body, scalar) }
                body.unicodeScalars.append(scalar)
            }
        case "]":
            let end = rest.firstIndex(of: "\u{7}") ?? rest.endIndex
            let body = String(String.UnicodeScalarView(rest[..<end]))
            rest = rest[end...].dropFirst()
            if body.hasPrefix("52;c;") { clipboard = String(body.dropFirst(5)) } else { unknown.append("OSC \(body)") }
        case "(", ")": _ = rest.popFirst()
        case "M": if row == region.lowerBound { scroll(by: -1, from: row) } else { row = max(0, row - 1) }
        case "7": saved = (row, column, pen)
        case "8": (row, column, pen) = saved
        case "=", ">": break
        default: unknown.append("ESC \(kind)")
        }
    }

    private mutating func control(_ body: String, _ final: Unicode.Scalar) {
        if body.hasPrefix("?") {
            if final == "u" { keyboardQuestionCount += 1 }
            guard final == "h" || final == "l" else { return }
            for mode in body.dropFirst().split(separator: ";").compactMap({ Int($0) }) {
                privateModes[mode] = final == "h"
            }
            return
        }
        if final == "u", let mark = body.first {
            let screen = isAlternate ? \Self.keyboardFlags.alternate : \Self.keyboardFlags.main
            if mark == ">" { self[keyPath: screen].append(Int(body.dropFirst()) ?? 0) }
            if mark == "<" { _ = self[keyPath: screen].popLast() }
            return
        }
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(numbers.first ?? 1, 1)
        switch final {
        case "H":
            row = min(max(numbers.first ?? 1, 1), cells.count) - 1
            column = min(max(numbers.count > 1 ? numbers[1] : 1, 1), cells[0].count) - 1
        case "d": row = min(first, cells.count) - 1
        case "G": column = min(first, cells[0].count) - 1
        case "A": row = max(0, row - first)
        case "B": row = min(row + first, cells.count - 1)
        case "C": column = min(column + first, cells[0].count - 1)
        case "D": column = max(0, column - first)
        case "K":
            erase(row, from: numbers.first == 1 ? 0 : column, to: numbers.first == 1 ? column + 1 : cells[0].count)
        case "X": erase(row, from: column, to: min(column + first, cells[0].count))
        case "J":
            let all = (numbers.first ?? 0) == 2
            erase(row, from: all ? 0 : column, to: cells[0].count)
            for line in (all ? 0 : row + 1)..<cells.count { erase(line, from: 0, to: cells[0].count) }
        case "P": shift(by: -min(first, cells[0].count - column))
        case "@": shift(by: min(first, cells[0].count - column))
        case "b": for _ in 0..<first { put(last) }
        case "S": scroll(by: first, from: region.lowerBound)
        case "T": scroll(by: -first, from: region.lowerBound)
        case "M" where region.contains(row): scroll(by: first, from: row)
        case "L" where region.contains(row): scroll(by: -first, from: row)
        case "r":
            let end = numbers.count > 1 && numbers[1] > 0 ? min(numbers[1], cells.count) : cells.count
            region = min(first - 1, end - 1)..<end
            (row, column) = (0, 0)
        case "n": questionCount += 1
        case "m": pen.select(body.split(separator: ";").compactMap { Int($0) })
        case "h", "l", "t": break
        default: unknown.append("CSI \(body)\(final)")
        }
    }

    /// Moves the rows from `top` to the end of the region up by `count`, or down; blank ones come in.
    private mutating func scroll(by count: Int, from top: Int) {
        let rows = Array(cells[top..<region.upperBound])
        let blank = [[Character]](
            repeating: Array(repeating: " ", count: cells[0].count), count: min(abs(count), rows.count))
        let moved = count > 0 ? rows.dropFirst(blank.count) + blank : blank + rows.dropLast(blank.count)
        cells.replaceSubrange(top..<region.upperBound, with: moved)
        let plain = [[TerminalColors]](
            repeating: Array(repeating: TerminalColors(), count: cells[0].count), count: blank.count)
        let tints = colors[top..<region.upperBound]
        let shifted = count > 0 ? tints.dropFirst(plain.count) + plain : plain + tints.dropLast(plain.count)
        colors.replaceSubrange(top..<region.upperBound, with: shifted)
    }

    /// Inserts blanks at the cursor, or deletes characters there; the rest of the row moves.
    private mutating func shift(by count: Int) {
        let blanks = [Character](repeating: " ", count: abs(count))
        let rest = Array(cells[row][column...])
        let moved = count < 0 ? Array(rest[(-count)...]) + blanks : blanks + Array(rest[..<(rest.count - count)])
        cells[row].replaceSubrange(column..., with: moved)
        let plain = [TerminalColors](repeating: TerminalColors(), count: abs(count))
        let tints = Array(colors[row][column...])
        let shifted = count < 0 ? Array(tints[(-count)...]) + plain : plain + tints[..<(tints.count - count)]
        colors[row].replaceSubrange(column..., with: shifted)
    }

    private mutating func erase(_ row: Int, from: Int, to: Int) {
        for column in from..<max(from, to) {
            cells[row][column] = " "
            colors[row][column] = TerminalColors(foreground: nil, background: pen.background)
        }
    }
}
