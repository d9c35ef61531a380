import Primitives

/// Finds the cells that show a picture best: of all ways to divide a cell's samples between two colours the one with the
/// least squared error. A cell that the terminal shows already is kept while its error stays near that: noise and slow
/// change then cost nothing.
struct PictureFitter {
    /// How much farther from the samples (root of the mean square over the channels, 0…255) a cell may be that is kept.
    static let threshold: Int32 = 8

    private let mode: PictureMode
    private let ramp: PictureRamp?
    private var scaler = PictureScaler()

    init(mode: PictureMode) {
        self.mode = mode
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
    mutating func fit(
        _ picture: RGBPicture, to area: CellArea, isMirrored: Bool, shown: [PictureCell], wanted: inout [PictureCell],
        columns: Int
    ) {
        guard picture.width > 0, picture.height > 0, area.size.rows > 0, area.size.columns > 0 else { return }
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
                                    ramp, samples, row * width, UnsafeBufferPointer(rebasing: shown[cells]),
                                    UnsafeMutableBufferPointer(rebasing: wanted[cells]))
                            } else {
                                fit(
                                    samples, row: row, width: width, room, UnsafeBufferPointer(rebasing: shown[cells]),
                                    UnsafeMutableBufferPointer(rebasing: wanted[cells]))
                            }
                        }
                    }
                }
            }
        }
    }

    private static func fit(
        _ ramp: PictureRamp, _ samples: UnsafeBufferPointer<UInt8>, _ start: Int,
        _ shown: UnsafeBufferPointer<PictureCell>, _ wanted: UnsafeMutableBufferPointer<PictureCell>
    ) {
        for index in 0..<wanted.count {
            let at = (start + index) * 3
            let (red, green, blue) = (Int32(samples[at]), Int32(samples[at + 1]), Int32(samples[at + 2]))
            let best = ramp.cell(red, green, blue)
            let isKept =
                shown[index].foreground != .standard
                && isNear(
                    ramp.error(shown[index], red, green, blue), to: ramp.error(best, red, green, blue), sampleCount: 1)
            wanted[index] = isKept ? shown[index] : best
        }
    }

    private func fit(
        _ samples: UnsafeBufferPointer<UInt8>, row: Int, width: Int, _ room: UnsafeMutableBufferPointer<Int32>,
        _ shown: UnsafeBufferPointer<PictureCell>, _ wanted: UnsafeMutableBufferPointer<PictureCell>
    ) {
        let (across, down) = mode.glyphs.samples
        let isDirect = mode.colors == .direct
        PicturePalette.shared.withTables { nearest, colors in
            var cell = CellFit(room: room, sampleCount: across * down)
            for index in 0..<wanted.count {
                cell.load(samples, at: (row * down * width + index * across) * 3, across: across, stride: width * 3)
                let kept = cell.error(of: shown[index])
                if kept <= cell.keptAtMost {
                    wanted[index] = shown[index]
                    continue
                }
                let (best, error) =
                    isDirect
                    ? cell.best { PictureColor(red: $0, green: $1, blue: $2) }
                    : cell.best { colors[Int(nearest[PicturePalette.key($0, $1, $2)])] }
                let isKept = kept < .max && Self.isNear(kept, to: error, sampleCount: cell.sampleCount)
                wanted[index] = isKept ? shown[index] : best
            }
        }
    }

    /// Whether the root mean square of `kept` is at most the threshold above that of `best`; both are sums of squares
    /// over three channels of the samples.
    @inline(__always)
    static func isNear(_ kept: Int32, to best: Int32, sampleCount: Int) -> Bool {
        // √k ≤ √b + t for t² = 3n·threshold²  ⟺  k − b − t² ≤ 2t√b.
        let square = Int64(threshold * threshold) * 3 * Int64(sampleCount)
        let rest = Int64(kept) - Int64(best) - square
        return rest <= 0 || rest * rest <= 4 * square * Int64(best)
    }
}
