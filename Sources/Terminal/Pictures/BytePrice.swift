import Primitives

/// What the bytes of a cell are worth: how much less its error must be, for each byte, than that of what the terminal shows
/// already. It rises while frames are larger than they may be and falls while they are smaller, to what hides noise.
struct BytePrice {
    /// The least: squared error of a sample, summed over its channels.
    static let least = 8.0
    private static let most = 1000.0
    /// How much one frame changes it, at most.
    private static let changes = 0.8...1.25
    /// What a frame should have at most, for each cell that shows pictures.
    private static let bytesPerCell = 2.2

    /// Bytes are worth nothing, whatever is written.
    static let free = BytePrice(value: 0)

    private(set) var value = least

    var isRaised: Bool { value > Self.least }

    /// A frame of `count` bytes was written on `cells` cells; `isCut`: it would have been larger than `limit`.
    mutating func wrote(_ count: Int, cells: Int, limit: Int, isCut: Bool) {
        guard value > 0 else { return }
        let budget = min(Double(cells) * Self.bytesPerCell, Double(limit))
        let share = isCut ? Self.changes.upperBound : (Double(count) / max(budget, 1)).clamped(to: Self.changes)
        value = (value * share).clamped(to: Self.least...Self.most)
    }

    /// Bytes that one cell takes.
    struct Bytes {
        /// Moving the cursor within a row, and to another one.
        static let move: Int32 = 4
        static let jump: Int32 = 7
        /// Setting one colour and both.
        let oneColor: Int32
        let bothColors: Int32
        /// A character that shows two colours.
        let glyph: Int32
        static let blank: Int32 = 1

        init(_ mode: PictureMode) {
            // "␛[38;5;123m", and ";48;5;123" more; with three numbers of one to three digits in place of the last one.
            (oneColor, bothColors) = mode.colors == .direct ? (18, 34) : (11, 20)
            glyph = mode.glyphs == .sextant ? 4 : mode.glyphs == .ascii ? 1 : 3
        }
    }
}
