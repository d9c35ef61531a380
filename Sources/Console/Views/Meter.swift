import Terminal

/// A level as a bar from −60 to 0 dBov.
enum Meter {
    static let floor = -60
    /// The narrowest bar that has a scale.
    static let leastScale = 18

    /// Draws `level` with its peak mark in `width` cells; hollow while nothing of it is sent.
    static func draw(
        _ level: Int?, peak: Int?, isHollow: Bool, on surface: inout Surface, row: Int, column: Int, width: Int,
        _ look: Look
    ) {
        guard let level, width > 0 else { return }
        let glyphs = look.glyphs
        let steps = glyphs.meter.count
        let filled = eighths(level, width: width, steps: steps)
        for cell in 0..<width {
            let part = min(max(filled - cell * steps, 0), steps)
            guard part > 0 else { break }
            let text = isHollow ? glyphs.hollow : glyphs.meter[part - 1]
            surface.put(text, row: row, column: column + cell, style: look[scope(cell, width, isHollow)])
        }
        if let peak, peak > floor {
            let cell = min(width - 1, eighths(peak, width: width, steps: steps) / steps)
            if cell * steps >= filled {
                surface.put(glyphs.peak, row: row, column: column + cell, style: look[.meterPeak])
            }
        }
    }

    private static func eighths(_ level: Int, width: Int, steps: Int) -> Int {
        max(0, min(0, level) - floor) * width * steps / -floor
    }

    private static func scope(_ cell: Int, _ width: Int, _ isHollow: Bool) -> Scope {
        if isHollow { return .meterMuted }
        let level = floor + (cell + 1) * -floor / width
        return level > -3 ? .meterClip : level > -12 ? .meterLoud : .meter
    }

    /// The scale that stands over the bars, `width` columns wide.
    static func scale(width: Int, _ look: Look) -> String {
        guard width >= leastScale else { return "" }
        let rule = look.glyphs.rule
        let middle = width / 2
        let left = "-60 " + String(repeating: rule, count: max(0, middle - 6)) + " -30 "
        let right = " 0 dBov"
        let gap = max(0, width - 2 - left.count)
        return left + String(repeating: rule, count: gap) + right
    }
}
