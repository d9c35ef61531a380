package import Primitives

/// The pictures of a screen: what each cell is to show, what the terminal shows, and the bytes from the one to the other.
package struct PictureCanvas {
    package let mode: PictureMode
    package let size: Size
    /// What stands where no picture does.
    private let blank: PictureCell
    private var wanted: [PictureCell]
    private(set) var shown: [PictureCell]
    private var fitter: PictureFitter
    private var writer: PictureWriter
    private var price: BytePrice
    /// Which of the screen's repaintings each row is of.
    var generations: [Int]

    /// - Parameters:
    ///   - size: the whole screen's.
    ///   - background: what is behind and beside the pictures.
    ///   - isThrifty: whether bytes count; else every picture is shown as well as can be, for comparison.
    package init(mode: PictureMode, size: Size, background: Color = .standard, isThrifty: Bool = true) {
        self.mode = mode
        self.size = size
        blank = PictureCell(solid: PictureColor(background, in: mode.colors))
        generations = Array(repeating: -1, count: size.rows)
        wanted = Array(repeating: blank, count: size.rows * size.columns)
        shown = wanted
        fitter = PictureFitter(mode: mode)
        writer = PictureWriter(mode: mode)
        price = isThrifty ? BytePrice() : .free
    }

    /// Fills `area` with `picture`, whatever its size and shape. An area outside the screen is passed over.
    package mutating func show(_ picture: RGBPicture, in area: CellArea, isMirrored: Bool = false) {
        guard contains(area) else { return }
        fitter.fit(
            picture, to: area, isMirrored: isMirrored, shown: shown, wanted: &wanted, columns: size.columns,
            price: price)
    }

    /// Takes what stands in `area` away.
    package mutating func clear(_ area: CellArea) {
        guard contains(area) else { return }
        for row in area.rows {
            for column in area.columns { wanted[row * size.columns + column] = blank }
        }
    }

    /// Whether the terminal shows everything that is in these rows.
    func isShown(rows: [Range<Int>]) -> Bool {
        rows.allSatisfy { rows in
            let rows = rows.clamped(to: 0..<size.rows)
            let cells = rows.lowerBound * size.columns..<rows.upperBound * size.columns
            return wanted[cells] == shown[cells]
        }
    }

    /// Whether bytes are saved at the moment: shown once more, the same pictures come out nearer, a little each time.
    package var isRough: Bool { price.isRaised }

    /// What the terminal shows in `area`, a pixel for each sample of a cell; for measuring. In ASCII without fixed colours:
    /// nothing.
    package func shownPicture(in area: CellArea) -> RGBPicture {
        let (across, down) = mode.glyphs.samples
        let (width, height) = mode.sampleSize(of: area.size)
        var picture = RGBPicture(width: width, height: height)
        picture.withMutableBytes { bytes in
            for index in 0..<width * height {
                let (row, column) = index.quotientAndRemainder(dividingBy: width)
                let cell = shown[(area.row + row / down) * size.columns + area.column + column / across]
                let bit = UInt8(row % down * across + column % across)
                let color = cell.pattern >> bit & 1 == 1 ? cell.foreground : cell.background
                for (channel, value) in [color.red, color.green, color.blue].enumerated() {
                    bytes[index * 3 + channel] = UInt8(truncatingIfNeeded: value)
                }
            }
        }
        return picture
    }

    /// The terminal's row was painted anew: there are blanks where pictures stood.
    mutating func forget(_ row: Int) {
        for index in row * size.columns..<(row + 1) * size.columns { shown[index] = blank }
    }

    /// Appends what brings `rows` of the terminal up to date, or as much of it as `limit` allows; the rest follows at the
    /// next call. At least one cell is written. The cursor and the terminal's colours are changed.
    mutating func write(rows: [Range<Int>], limit: Int, to output: inout [UInt8]) {
        let rows = rows.map { $0.clamped(to: 0..<size.rows) }
        let start = output.count
        let isWhole = writer.write(
            wanted, shown: &shown, columns: size.columns, rows: rows, limit: limit, to: &output)
        let cells = rows.reduce(0) { sum, rows in
            sum + wanted[rows.lowerBound * size.columns..<rows.upperBound * size.columns].count { $0 != blank }
        }
        price.wrote(output.count - start, cells: cells, limit: limit, isCut: !isWhole)
    }

    private func contains(_ area: CellArea) -> Bool {
        area.row >= 0 && area.column >= 0 && area.rows.upperBound <= size.rows
            && area.columns.upperBound <= size.columns
    }
}
