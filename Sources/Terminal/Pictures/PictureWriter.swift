/// Writes the difference between two grids of cells in as few bytes as it can: the cursor goes over what stays, and of a
/// cell's two forms (its pattern, or the complement with its colours swapped) the one is taken that fits the colours
/// that are set.
struct PictureWriter {
    /// One form of a cell.
    private struct Form {
        var pattern: Int
        /// `nil`: the pattern does not need it.
        var foreground: PictureColor?
        var background: PictureColor?
    }

    private let colors: PictureMode.Colors
    /// The characters by pattern, in UTF-8.
    private let glyphs: [[UInt8]]
    /// The pattern that is all foreground; `nil`: patterns have no complement.
    private let whole: Int?
    /// The cell at which the next writing begins, so that none starves.
    private var next = 0
    private var foreground = PictureColor.standard
    private var background = PictureColor.standard

    init(mode: PictureMode) {
        colors = mode.colors
        glyphs = mode.glyphs.characters.map { Array(String($0).utf8) }
        whole = mode.glyphs == .ascii ? nil : mode.glyphs.characters.count - 1
    }

    mutating func write(
        _ wanted: [PictureCell], shown: inout [PictureCell], columns: Int, rows: [Range<Int>], limit: Int,
        to output: inout [UInt8]
    ) {
        let (start, end) = (output.count, output.count + limit)
        let rowCount = wanted.count / max(1, columns)
        guard rowCount > 0 else { return }
        let (firstRow, firstColumn) = (next % wanted.count).quotientAndRemainder(dividingBy: columns)
        // Once around: what is before the first cell in its row comes last.
        for step in 0...rowCount {
            let row = (firstRow + step) % rowCount
            guard rows.contains(where: { $0.contains(row) }) else { continue }
            var at = -1
            for column in (step == 0 ? firstColumn : 0)..<(step == rowCount ? firstColumn : columns) {
                let index = row * columns + column
                guard wanted[index] != shown[index] else { continue }
                guard output.count < end else {
                    next = index
                    return
                }
                if output.count == start { reset(&output) }
                move(from: at, to: column, row: row, &output)
                put(wanted[index], &output)
                shown[index] = wanted[index]
                at = column + 1
            }
        }
    }

    private mutating func reset(_ output: inout [UInt8]) {
        output += [0x1B, 0x5B, 0x6D]
        (foreground, background) = (.standard, .standard)
    }

    private func move(from: Int, to column: Int, row: Int, _ output: inout [UInt8]) {
        guard from != column else { return }
        output += [0x1B, 0x5B]
        if from < 0 {
            Self.put(row + 1, &output)
            output.append(0x3B)
            Self.put(column + 1, &output)
            output.append(0x48)
        } else {
            if column - from > 1 { Self.put(column - from, &output) }
            output.append(0x43)
        }
    }

    private mutating func put(_ cell: PictureCell, _ output: inout [UInt8]) {
        let form = form(of: cell)
        let newForeground = form.foreground.flatMap { $0 == foreground ? nil : $0 }
        let newBackground = form.background.flatMap { $0 == background ? nil : $0 }
        if colors != .none, newForeground != nil || newBackground != nil {
            output += [0x1B, 0x5B]
            if let newForeground { put(newForeground, base: 30, &output) }
            if newForeground != nil, newBackground != nil { output.append(0x3B) }
            if let newBackground { put(newBackground, base: 40, &output) }
            output.append(0x6D)
        }
        foreground = newForeground ?? foreground
        background = newBackground ?? background
        output += glyphs[form.pattern]
    }

    /// The form that changes the fewest colours.
    private func form(of cell: PictureCell) -> Form {
        guard let whole else {
            let isBlank = cell.pattern == 0
            return Form(
                pattern: Int(cell.pattern), foreground: isBlank ? nil : cell.foreground, background: cell.background)
        }
        let pattern = Int(cell.pattern)
        if pattern == 0 {
            let isInk = cell.background == foreground && cell.background != background
            return isInk
                ? Form(pattern: whole, foreground: cell.background, background: nil)
                : Form(pattern: 0, foreground: nil, background: cell.background)
        }
        let kept = (cell.foreground == foreground ? 1 : 0) + (cell.background == background ? 1 : 0)
        let swapped = (cell.background == foreground ? 1 : 0) + (cell.foreground == background ? 1 : 0)
        return swapped > kept
            ? Form(pattern: whole ^ pattern, foreground: cell.background, background: cell.foreground)
            : Form(pattern: pattern, foreground: cell.foreground, background: cell.background)
    }

    /// The colour as SGR parameters; `base`: 30 for the foreground, 40 for the background.
    private func put(_ color: PictureColor, base: Int, _ output: inout [UInt8]) {
        guard color != .standard else { return Self.put(base + 9, &output) }
        let index = Int(color.paletteIndex)
        if case .first = colors {
            return Self.put(index < 8 ? base + index : base + 52 + index, &output)
        }
        Self.put(base + 8, &output)
        if colors == .direct, index == 0 {
            output += [0x3B, 0x32]
            for channel in [color.red, color.green, color.blue] {
                output.append(0x3B)
                Self.put(Int(channel), &output)
            }
        } else {
            output += [0x3B, 0x35, 0x3B]
            Self.put(index, &output)
        }
    }

    /// Appends a number of at most four digits.
    private static func put(_ number: Int, _ output: inout [UInt8]) {
        for power in [1000, 100, 10] where number >= power {
            output.append(0x30 + UInt8(truncatingIfNeeded: number / power % 10))
        }
        output.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension PictureMode.Glyphs {
    /// The characters by pattern; the last one is all foreground.
    var characters: [Character] {
        switch self {
        case .ascii: PictureRamp.characters
        case .half: Array(" ▀▄█")
        case .quadrant: Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
        case .sextant: (0..<64).map(Self.sextant)
        }
    }

    /// The block of sextants leaves out what other blocks have.
    private static func sextant(_ pattern: UInt32) -> Character {
        switch pattern {
        case 0: " "
        case 21: "▌"
        case 42: "▐"
        case 63: "█"
        default:
            Unicode.Scalar(0x1FB00 + pattern - 1 - (pattern > 21 ? 1 : 0) - (pattern > 42 ? 1 : 0))
                .map(Character.init) ?? "█"
        }
    }
}
