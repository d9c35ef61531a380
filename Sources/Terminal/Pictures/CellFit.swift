/// The samples of one cell and the search for its two colours. Works in room that is lent to it.
struct CellFit {
    /// Samples of the finest division of a cell, and the subsets of them.
    private static let mostSamples = 6
    static let roomNeeded = 3 * mostSamples + 7 * (1 << mostSamples)

    let sampleCount: Int
    /// The error up to which a shown cell is kept without a search: nothing can be too much better.
    let keptAtMost: Int32
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
    private var squares: Int32 = 0

    /// - Parameter room: `roomNeeded` of them, for as long as this value is used.
    init(room: UnsafeMutableBufferPointer<Int32>, sampleCount: Int) {
        // The caller lends room of a fixed, positive size.
        let base = room.baseAddress.unsafelyUnwrapped
        let subsets = 1 << Self.mostSamples
        self.sampleCount = sampleCount
        keptAtMost = PictureFitter.threshold * PictureFitter.threshold * 3 * Int32(sampleCount)
        (red, green, blue) = (base, base + Self.mostSamples, base + 2 * Self.mostSamples)
        let tables = base + 3 * Self.mostSamples
        (redSum, greenSum, blueSum) = (tables, tables + subsets, tables + 2 * subsets)
        (color, cost) = (tables + 3 * subsets, tables + 4 * subsets)
        (count, reciprocal) = (tables + 5 * subsets, tables + 6 * subsets)
        (redSum[0], greenSum[0], blueSum[0], cost[0], count[0], reciprocal[0]) = (0, 0, 0, 0, 0, 0)
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

    /// Tries every division and returns the best with its squared error.
    ///
    /// - Parameter quantize: the colour that the terminal shows for one of 0…255 a channel.
    @inline(__always)
    func best(_ quantize: (Int32, Int32, Int32) -> PictureColor) -> (PictureCell, error: Int32) {
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
            let (cr, cg, cb) = (chosen.red, chosen.green, chosen.blue)
            // Σ|p − c|² = Σ|p|² + n|c|² − 2c·Σp
            let own = count[subset] &* (cr &* cr &+ cg &* cg &+ cb &* cb)
            cost[subset] = own &- 2 &* (cr &* r &+ cg &* g &+ cb &* b)
        }
        let whole = 1 << sampleCount - 1
        var (pattern, least) = (0, cost[whole])
        // The last sample is in the background.
        for subset in 1..<max(1, 1 << (sampleCount - 1)) {
            let sum = cost[subset] &+ cost[whole ^ subset]
            if sum < least { (pattern, least) = (subset, sum) }
        }
        let background = PictureColor(bits: UInt32(bitPattern: color[whole ^ pattern]))
        guard pattern != 0 else { return (PictureCell(solid: background), squares &+ least) }
        let foreground = PictureColor(bits: UInt32(bitPattern: color[pattern]))
        let cell = PictureCell(pattern: UInt8(pattern), foreground: foreground, background: background)
        return (foreground == background ? PictureCell(solid: background) : cell, squares &+ least)
    }
}
