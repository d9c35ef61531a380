import Primitives

/// Finds the cells that show a picture best: of all ways to divide a cell's samples between two colours the one with the
/// least sum of squared error and price of its bytes. What the terminal shows already costs none: noise and slow change
/// pass. Colours that it draws with already cost little.
struct PictureFitter {
    private let mode: PictureMode
    private let bytes: BytePrice.Bytes
    private let ramp: PictureRamp?
    private var scaler = PictureScaler()

    init(mode: PictureMode) {
        self.mode = mode
        bytes = BytePrice.Bytes(mode)
        switch mode.colors {
        case .none, .first: ramp = PictureRamp(colors: mode.colors)
        case .palette, .direct: ramp = nil
        }
    }

    /// Sets the cells of `area` in `wanted` to what shows `picture`, filling the area.
    ///
    /// - Parameters:
    ///   - shown: what the terminal shows; as many cells as `wanted`.
    ///   - columns: cells of a row of both; `area` lies within.
    ///   - price: what a byte must be worth.
    mutating func fit(
        _ picture: RGBPicture, to area: CellArea, isMirrored: Bool, shown: [PictureCell], wanted: inout [PictureCell],
        columns: Int, price: BytePrice
    ) {
        guard picture.width > 0, picture.height > 0, area.size.rows > 0, area.size.columns > 0 else { return }
        let price = CellFit.Price(byte: Int32(price.value), bytes: bytes)
        var pen = PicturePen(mode.glyphs)
        let (width, height) = mode.sampleSize(of: area.size)
        scaler.scale(picture, width: width, height: height, isMirrored: isMirrored)
        scaler.samples.withUnsafeBufferPointer { samples in
            shown.withUnsafeBufferPointer { shown in
                wanted.withUnsafeMutableBufferPointer { wanted in
                    withUnsafeTemporaryAllocation(of: Int32.self, capacity: CellFit.roomNeeded) { room in
                        for row in 0..<area.size.rows {
                            let first = (area.row + row) * columns + area.column
                            let cells = first..<first + area.size.columns
                            if let ramp {
                                Self.fit(
                                    ramp, price, samples, row * width, UnsafeBufferPointer(rebasing: shown[cells]),
                                    UnsafeMutableBufferPointer(rebasing: wanted[cells]))
                            } else {
                                fit(
                                    samples, row: row, width: width, room, price, &pen,
                                    UnsafeBufferPointer(rebasing: shown[cells]),
                                    UnsafeMutableBufferPointer(rebasing: wanted[cells]))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func fit(
        _ ramp: PictureRamp, _ price: CellFit.Price, _ samples: UnsafeBufferPointer<UInt8>, _ start: Int,
        _ shown: UnsafeBufferPointer<PictureCell>, _ wanted: UnsafeMutableBufferPointer<PictureCell>
    ) {
        let change = price.byte * (BytePrice.Bytes.move + price.bytes.bothColors)
        for index in 0..<wanted.count {
            let at = (start + index) * 3
            let (red, green, blue) = (Int32(samples[at]), Int32(samples[at + 1]), Int32(samples[at + 2]))
            let best = ramp.cell(red, green, blue)
            let isKept =
                shown[index].foreground != .standard
                && ramp.error(shown[index], red, green, blue) <= ramp.error(best, red, green, blue) + change
            wanted[index] = isKept ? shown[index] : best
        }
    }

    private func fit(
        _ samples: UnsafeBufferPointer<UInt8>, row: Int, width: Int, _ room: UnsafeMutableBufferPointer<Int32>,
        _ price: CellFit.Price, _ pen: inout PicturePen, _ shown: UnsafeBufferPointer<PictureCell>,
        _ wanted: UnsafeMutableBufferPointer<PictureCell>
    ) {
        let (across, down) = mode.glyphs.samples
        let isDirect = mode.colors == .direct
        var price = price
        price.move = BytePrice.Bytes.jump
        PicturePalette.shared.withTables { nearest, colors in
            var cell = CellFit(room: room, glyphs: mode.glyphs)
            for index in 0..<wanted.count {
                cell.load(samples, at: (row * down * width + index * across) * 3, across: across, stride: width * 3)
                let kept = cell.error(of: shown[index])
                let choice =
                    isDirect
                    ? cell.choice(over: kept, pen, price) { PictureColor(red: $0, green: $1, blue: $2) }
                    : cell.choice(over: kept, pen, price) { colors[Int(nearest[PicturePalette.key($0, $1, $2)])] }
                guard let choice else {
                    wanted[index] = shown[index]
                    if price.move == 0 { price.move = BytePrice.Bytes.move }
                    continue
                }
                wanted[index] = choice
                pen.draw(choice)
                price.move = 0
            }
        }
    }
}
