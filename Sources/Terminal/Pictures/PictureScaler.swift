import Primitives

/// Scales pictures to a grid of samples by the mean of what each sample covers. Keeps its tables and its room while the
/// sizes stay.
struct PictureScaler {
    /// Which source pixels a row or column of samples covers, and how much of each.
    private struct Axis {
        private(set) var sourceCount = -1
        private(set) var count = -1
        private var isReversed = false
        /// The first source pixel of each sample, and where its weights begin.
        private(set) var starts: [Int] = []
        private(set) var offsets: [Int] = []
        /// Of each sample they add up to 256.
        private(set) var weights: [UInt32] = []

        mutating func prepare(from sourceCount: Int, to count: Int, isReversed: Bool) {
            guard (sourceCount, count, isReversed) != (self.sourceCount, self.count, self.isReversed) else { return }
            (self.sourceCount, self.count, self.isReversed) = (sourceCount, count, isReversed)
            starts.removeAll(keepingCapacity: true)
            offsets.removeAll(keepingCapacity: true)
            weights.removeAll(keepingCapacity: true)
            for index in 0..<count { add(isReversed ? count - 1 - index : index) }
            offsets.append(weights.count)
        }

        /// Sample `index` covers [`index`, `index` + 1) · `sourceCount` / `count`.
        private mutating func add(_ index: Int) {
            let (low, high) = (index * sourceCount, (index + 1) * sourceCount)
            starts.append(low / count)
            offsets.append(weights.count)
            var given: UInt32 = 0
            for pixel in low / count...(high - 1) / count {
                let covered = min(high, (pixel + 1) * count) - low
                // The running total is rounded, so that no weight is lost.
                let total = UInt32((covered * 256 + sourceCount / 2) / sourceCount)
                weights.append(total - given)
                given = total
            }
        }
    }

    /// The scaled samples: red, green, blue, row by row.
    private(set) var samples: [UInt8] = []
    private var across = Axis()
    private var down = Axis()
    private var line: [UInt32] = []
    private var sums: [UInt32] = []

    /// Fills `samples` with `picture` at `width` × `height`. All of them are at least 1.
    mutating func scale(_ picture: RGBPicture, width: Int, height: Int, isMirrored: Bool) {
        across.prepare(from: picture.width, to: width, isReversed: isMirrored)
        down.prepare(from: picture.height, to: height, isReversed: false)
        if samples.count != width * height * 3 { samples = [UInt8](repeating: 0, count: width * height * 3) }
        if sums.count != width * 3 {
            sums = [UInt32](repeating: 0, count: width * 3)
            line = sums
        }
        picture.bytes.withUnsafeBufferPointer { source in
            var scaled = -1
            for row in 0..<height {
                for index in sums.indices { sums[index] = 1 << 15 }
                for (step, weight) in down.weights[down.offsets[row]..<down.offsets[row + 1]].enumerated() {
                    let from = down.starts[row] + step
                    if from != scaled { scaleLine(source, row: from, of: picture.width) }
                    scaled = from
                    addLine(weight)
                }
                store(row)
            }
        }
    }

    private mutating func scaleLine(_ source: UnsafeBufferPointer<UInt8>, row: Int, of width: Int) {
        let (across, row) = (across, row * width * 3)
        line.withUnsafeMutableBufferPointer { line in
            across.weights.withUnsafeBufferPointer { weights in
                for index in 0..<across.count {
                    var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
                    var at = row + across.starts[index] * 3
                    for weight in across.offsets[index]..<across.offsets[index + 1] {
                        red &+= UInt32(source[at]) &* weights[weight]
                        green &+= UInt32(source[at + 1]) &* weights[weight]
                        blue &+= UInt32(source[at + 2]) &* weights[weight]
                        at += 3
                    }
                    line[index * 3] = red
                    line[index * 3 + 1] = green
                    line[index * 3 + 2] = blue
                }
            }
        }
    }

    private mutating func addLine(_ weight: UInt32) {
        line.withUnsafeBufferPointer { line in
            sums.withUnsafeMutableBufferPointer { sums in
                for index in 0..<sums.count { sums[index] &+= line[index] &* weight }
            }
        }
    }

    private mutating func store(_ row: Int) {
        let start = row * sums.count
        samples.withUnsafeMutableBufferPointer { samples in
            sums.withUnsafeBufferPointer { sums in
                for index in 0..<sums.count { samples[start + index] = UInt8(truncatingIfNeeded: sums[index] >> 16) }
            }
        }
    }
}
