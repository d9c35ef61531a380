/// The colours that the terminal draws pictures with, and what a cell costs that is drawn next. Of a cell's two forms (its
/// pattern, or the complement with its colours swapped) the one is taken that changes fewer of them.
struct PicturePen {
    /// One form of a cell.
    struct Form {
        var pattern: Int
        /// `nil`: as it is set, or the pattern does not need it.
        var foreground: PictureColor?
        var background: PictureColor?
    }

    private(set) var foreground = PictureColor.standard
    private(set) var background = PictureColor.standard
    /// The pattern that is all foreground; `nil`: patterns have no complement.
    private let whole: Int?

    init(_ glyphs: PictureMode.Glyphs) {
        whole = glyphs == .ascii ? nil : 1 << (glyphs.samples.across * glyphs.samples.down) - 1
    }

    /// The terminal's own colours are set.
    mutating func reset() {
        (foreground, background) = (.standard, .standard)
    }

    /// Draws `cell`.
    ///
    /// - Returns: What is written: the colours that are to be set, and the pattern.
    @discardableResult
    mutating func draw(_ cell: PictureCell) -> Form {
        var form = form(of: cell)
        if form.foreground == foreground { form.foreground = nil }
        if form.background == background { form.background = nil }
        foreground = form.foreground ?? foreground
        background = form.background ?? background
        return form
    }

    private func form(of cell: PictureCell) -> Form {
        let pattern = Int(cell.pattern)
        guard let whole else {
            return Form(
                pattern: pattern, foreground: pattern == 0 ? nil : cell.foreground, background: cell.background)
        }
        if pattern == 0 {
            // The terminal's own colour is another one before letters than behind them.
            let isInk =
                cell.background == foreground && cell.background != background && cell.background != .standard
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
}
