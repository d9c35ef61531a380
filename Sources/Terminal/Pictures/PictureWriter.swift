/// Writes the difference between two grids of cells in as few bytes as it can: the cursor goes over what stays, and only
/// colours that change are set.
struct PictureWriter {
    private let colors: PictureMode.Colors
    /// The characters by pattern, in UTF-8.
    private let glyphs: [[UInt8]]
    /// The cell at which the next writing begins, so that none starves.
    private var next = 0
    private var pen: PicturePen

    init(mode: PictureMode) {
        colors = mode.colors
        glyphs = mode.glyphs.characters.map { Array(String($0).utf8) }
        pen = PicturePen(mode.glyphs)
    }

    /// Returns whether nothing is left.
    mutating func write(
        _ wanted: [PictureCell], shown: inout [PictureCell], columns: Int, rows: [Range<Int>], limit: Int,
        to output: inout [UInt8]
    ) -> Bool {
        let (start, end) = (output.count, output.count + limit)
        let rowCount = wanted.count / max(1, columns)
        guard rowCount > 0 else { return true }
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
                    return false
                }
                if output.count == start { reset(&output) }
                move(from: at, to: column, row: row, &output)
                put(wanted[index], &output)
                shown[index] = wanted[index]
                at = column + 1
            }
        }
        return true
    }

    private mutating func reset(_ output: inout [UInt8]) {
        output += [0x1B, 0x5B, 0x6D]
        pen.reset()
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
        let form = pen.draw(cell)
        if colors != .none, form.foreground != nil || form.background != nil {
            output += [0x1B, 0x5B]
            if let color = form.foreground { put(color, base: 30, &output) }
            if form.foreground != nil, form.background != nil { output.append(0x3B) }
            if let color = form.background { put(color, base: 40, &output) }
            output.append(0x6D)
        }
        output += glyphs[form.pattern]
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
        case .half, .quadrant: Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
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
