/// The samples of one cell and the search for its two colours. Works in room that is lent to it.
///
/// Costs are squared errors, less the samples' own squares, and what the bytes are worth.
struct CellFit {
    /// What a change costs beside its error.
    struct Price {
        /// A byte, in squared error of a sample.
        var byte: Int32
        var bytes: BytePrice.Bytes
        /// Bytes to get to the cell.
        var move: Int32 = 0
    }

    /// Samples of the finest division of a cell, and the subsets of them.
    private static let mostSamples = 6
    static let roomNeeded = 3 * mostSamples + 8 * (1 << mostSamples)

    let sampleCount: Int
    private let red: UnsafeMutablePointer<Int32>
    private let green: UnsafeMutablePointer<Int32>
    private let blue: UnsafeMutablePointer<Int32>
    /// By subset: sums of the channels, the colour that stands for it, and its error less the samples' own squares.
    private let redSum: UnsafeMutablePointer<Int32>
    private let greenSum: UnsafeMutablePointer<Int32>
    private let blueSum: UnsafeMutablePointer<Int32>
    private let color: UnsafeMutablePointer<Int32>
    private let cost: UnsafeMutablePointer<Int32>
    /// By subset: how many samples, and 65536 divided by that.
    private let count: UnsafeMutablePointer<Int32>
    private let reciprocal: UnsafeMutablePointer<Int32>
    /// The subsets that the characters can set off: without the last sample each, and then their complements.
    private let parts: UnsafeMutablePointer<Int32>
    private let partCount: Int
    private var squares: Int32 = 0

    /// - Parameter room: `roomNeeded` of them, for as long as this value is used.
    init(room: UnsafeMutableBufferPointer<Int32>, glyphs: PictureMode.Glyphs) {
        // The caller lends room of a fixed, positive size.
        let base = room.baseAddress.unsafelyUnwrapped
        let subsets = 1 << Self.mostSamples
        sampleCount = glyphs.samples.across * glyphs.samples.down
        (red, green, blue) = (base, base + Self.mostSamples, base + 2 * Self.mostSamples)
        let tables = base + 3 * Self.mostSamples
        (redSum, greenSum, blueSum) = (tables, tables + subsets, tables + 2 * subsets)
        (color, cost) = (tables + 3 * subsets, tables + 4 * subsets)
        (count, reciprocal) = (tables + 5 * subsets, tables + 6 * subsets)
        let divisions = glyphs.divisions
        (parts, partCount) = (tables + 7 * subsets, 2 * divisions.count)
        for (index, division) in divisions.enumerated() {
            parts[index] = division
            parts[divisions.count + index] = Int32(1 << sampleCount - 1) ^ division
        }
        (redSum[0], greenSum[0], blueSum[0], color[0], cost[0], count[0], reciprocal[0]) = (0, 0, 0, 0, 0, 0, 0)
        for subset in 1..<1 << sampleCount {
            count[subset] = Int32(subset.nonzeroBitCount)
            reciprocal[subset] = 65536 / count[subset] + 1
        }
    }

    /// Takes the samples of a cell: rows of `across` of them, `stride` bytes apart.
    @inline(__always)
    mutating func load(_ samples: UnsafeBufferPointer<UInt8>, at start: Int, across: Int, stride: Int) {
        squares = 0
        var (at, column) = (start, 0)
        for index in 0..<sampleCount {
            let (r, g, b) = (Int32(samples[at]), Int32(samples[at + 1]), Int32(samples[at + 2]))
            (red[index], green[index], blue[index]) = (r, g, b)
            squares &+= r &* r &+ g &* g &+ b &* b
            column += 1
            at += 3
            if column == across {
                column = 0
                at += stride - across * 3
            }
        }
    }

    /// The squared error of `cell`; the greatest number where its colours are the terminal's own.
    @inline(__always)
    func error(of cell: PictureCell) -> Int32 {
        guard cell.background != .standard else { return .max }
        var sum: Int32 = 0
        for index in 0..<sampleCount {
            let color = cell.pattern >> UInt8(truncatingIfNeeded: index) & 1 == 1 ? cell.foreground : cell.background
            sum &+= color.distance(red: red[index], green: green[index], blue: blue[index])
        }
        return sum
    }

    /// The cell to show: the least sum of squared error and price of all divisions between two colours, each the
    /// samples' own or one that the pen has. `nil`: none is worth changing a cell of the squared error `kept`.
    ///
    /// - Parameter quantize: the colour that the terminal shows for one of 0…255 a channel.
    @inline(__always)
    func choice(
        over kept: Int32, _ pen: PicturePen, _ price: Price, _ quantize: (Int32, Int32, Int32) -> PictureColor
    ) -> PictureCell? {
        let (byte, bytes) = (price.byte &* Int32(sampleCount), price.bytes)
        // Next to nothing can be gained.
        guard kept > byte &* bytes.glyph else { return nil }
        fillTables(quantize)
        var best = Choice(cost: kept == .max ? .max : kept &- squares)
        let own = bestOwn()
        let move = price.move &* byte
        guard best.cost > min(own.cost, cost[whole]) &+ move &+ byte &* BytePrice.Bytes.blank else { return nil }
        best.take(own, adding: move &+ byte &* (bytes.bothColors &+ bytes.glyph))
        best.take(
            Choice(cost: cost[whole], background: ownColor(whole)),
            adding: move &+ byte &* (bytes.oneColor &+ BytePrice.Bytes.blank))
        if pen.background != .standard {
            takePens(pen, into: &best, move, byte, bytes)
        }
        return best.isFound ? cell(of: best) : nil
    }

    /// More than any cost, with room for a price.
    private static let never = Int32.max / 2

    /// The best division so far.
    private struct Choice {
        var cost: Int32
        /// A bit for each sample that has the foreground.
        var pattern = 0
        var foreground = PictureColor.standard
        var background = PictureColor.standard

        var isFound: Bool { background != .standard }

        @inline(__always)
        mutating func take(_ other: Choice, adding price: Int32) {
            guard other.cost &+ price < cost else { return }
            self = other
            cost = other.cost &+ price
        }
    }

    private var whole: Int { 1 << sampleCount - 1 }

    private func ownColor(_ subset: Int) -> PictureColor {
        PictureColor(bits: UInt32(bitPattern: color[subset]))
    }

    /// A look has one form only: the last sample has the background.
    private func cell(of choice: Choice) -> PictureCell {
        guard choice.pattern != 0, choice.foreground != choice.background else {
            return PictureCell(solid: choice.background)
        }
        guard choice.pattern != whole else { return PictureCell(solid: choice.foreground) }
        guard choice.pattern >> (sampleCount - 1) == 1 else {
            return PictureCell(
                pattern: UInt8(choice.pattern), foreground: choice.foreground, background: choice.background)
        }
        return PictureCell(
            pattern: UInt8(whole ^ choice.pattern), foreground: choice.background, background: choice.foreground)
    }

    @inline(__always)
    private func fillTables(_ quantize: (Int32, Int32, Int32) -> PictureColor) {
        for subset in 1..<1 << sampleCount {
            let last = subset.trailingZeroBitCount
            let rest = subset & (subset - 1)
            let r = redSum[rest] &+ red[last]
            let g = greenSum[rest] &+ green[last]
            let b = blueSum[rest] &+ blue[last]
            (redSum[subset], greenSum[subset], blueSum[subset]) = (r, g, b)
            let part = reciprocal[subset]
            let chosen = quantize((r &* part) >> 16, (g &* part) >> 16, (b &* part) >> 16)
            color[subset] = Int32(bitPattern: chosen.bits)
            cost[subset] = cost(of: chosen, subset)
        }
    }

    /// What it costs to show a subset in one colour: Σ|p − c|² − Σ|p|² = n|c|² − 2c·Σp.
    @inline(__always)
    private func cost(of color: PictureColor, _ subset: Int) -> Int32 {
        let (r, g, b) = (color.red, color.green, color.blue)
        return count[subset] &* (r &* r &+ g &* g &+ b &* b)
            &- 2 &* (r &* redSum[subset] &+ g &* greenSum[subset] &+ b &* blueSum[subset])
    }

    /// Two colours of the samples' own.
    @inline(__always)
    private func bestOwn() -> Choice {
        var (pattern, least) = (1, Self.never)
        for index in 0..<partCount / 2 {
            let subset = Int(parts[index])
            let sum = cost[subset] &+ cost[whole ^ subset]
            if sum < least { (pattern, least) = (subset, sum) }
        }
        return Choice(
            cost: least, pattern: pattern, foreground: ownColor(pattern), background: ownColor(whole ^ pattern))
    }

    /// Colours that need not be set: both, or one of them and one of the samples' own.
    @inline(__always)
    private func takePens(
        _ pen: PicturePen, into best: inout Choice, _ move: Int32, _ byte: Int32, _ bytes: BytePrice.Bytes
    ) {
        best.take(
            Choice(cost: cost(of: pen.background, whole), background: pen.background),
            adding: move &+ byte &* BytePrice.Bytes.blank)
        takePen(pen.background, into: &best, adding: move &+ byte &* (bytes.oneColor &+ bytes.glyph))
        guard pen.foreground != .standard else { return }
        takePen(pen.foreground, into: &best, adding: move &+ byte &* (bytes.oneColor &+ bytes.glyph))
        best.take(bestPattern(pen), adding: move &+ byte &* bytes.glyph)
    }

    /// Both colours of the pen.
    @inline(__always)
    private func bestPattern(_ pen: PicturePen) -> Choice {
        var (pattern, least) = (0, Int32(0))
        if partCount == whole - 1 {
            for index in 0..<sampleCount {
                let ink = cost(of: pen.foreground, 1 << index)
                let ground = cost(of: pen.background, 1 << index)
                if ink < ground { pattern |= 1 << index }
                least &+= min(ink, ground)
            }
        } else {
            (pattern, least) = (whole, cost(of: pen.foreground, whole))
            for index in 0..<partCount {
                let subset = Int(parts[index])
                let sum = cost(of: pen.foreground, subset) &+ cost(of: pen.background, whole ^ subset)
                if sum < least { (pattern, least) = (subset, sum) }
            }
        }
        return Choice(cost: least, pattern: pattern, foreground: pen.foreground, background: pen.background)
    }

    /// This colour and one of the samples' own.
    @inline(__always)
    private func takePen(_ set: PictureColor, into best: inout Choice, adding price: Int32) {
        var (pattern, least) = (1, Self.never)
        for index in 0..<partCount {
            let subset = Int(parts[index])
            let sum = cost(of: set, subset) &+ cost[whole ^ subset]
            if sum < least { (pattern, least) = (subset, sum) }
        }
        best.take(
            Choice(cost: least, pattern: pattern, foreground: set, background: ownColor(whole ^ pattern)),
            adding: price)
    }
}
