package import MediaEngine
package import Primitives

/// A time and a number that are drawn into a picture as black and white fields, and read back from it after coding and
/// scaling: two rows of 16 bits across the picture, below its middle.
///
/// The bits, from the left, the upper row first: 4 of the number, 20 of the milliseconds, 8 of a CRC over them.
package struct Timecode: Hashable, Sendable, BitwiseCopyable {
    /// Milliseconds begin again at this many (17.5 minutes).
    package static let period = 1 << 20

    /// 0…15: which source it is.
    package var number: Int
    /// Of the time of the picture, 0..<period.
    package var milliseconds: Int

    package init(number: Int, time: MonoTime) {
        self.number = number & 0xf
        milliseconds = Int(time.nanoseconds / 1_000_000) & (Self.period - 1)
    }

    /// How long before `now`, on the clock that drew it, the picture was taken; −9…9 minutes.
    package func age(at now: MonoTime) -> Duration {
        let half = Self.period / 2
        let now = Int(now.nanoseconds / 1_000_000)
        return .milliseconds(((now - milliseconds + half) & (Self.period - 1)) - half)
    }

    // MARK: Bits

    private static let columns = 16
    private static let rows = 2

    private var bits: UInt32 {
        let payload = UInt32(number) << 20 | UInt32(milliseconds)
        return payload << 8 | UInt32(Self.crc(payload))
    }

    private init?(bits: UInt32) {
        let payload = bits >> 8
        guard Self.crc(payload) == UInt8(truncatingIfNeeded: bits) else { return nil }
        number = Int(payload >> 20)
        milliseconds = Int(payload) & (Self.period - 1)
    }

    /// CRC-8 (polynomial 0x07, begun with ones, so that an even picture has no valid code).
    private static func crc(_ payload: UInt32) -> UInt8 {
        var crc: UInt8 = 0xff
        for shift in [16, 8, 0] {
            crc ^= UInt8(truncatingIfNeeded: payload >> shift)
            for _ in 0..<8 { crc = crc & 0x80 != 0 ? crc << 1 ^ 0x07 : crc << 1 }
        }
        return crc
    }

    // MARK: Drawing

    private static let white: UInt8 = 235
    private static let black: UInt8 = 16

    /// Draws the code, in place of what is there.
    package func draw(on frame: inout VideoFrame) {
        let size = frame.size
        frame.withMutablePlanes { planes in
            for row in 0..<Self.rows {
                for column in 0..<Self.columns {
                    let field = Self.field(row, column, of: size)
                    let isSet = bits >> (31 - UInt32(row * Self.columns + column)) & 1 == 1
                    planes.fill(field, luma: isSet ? Self.white : Self.black)
                }
            }
            let first = Self.field(0, 0, of: size)
            let last = Self.field(Self.rows - 1, Self.columns - 1, of: size)
            let bar = PixelArea(
                x: 0, y: first.y, width: size.width, height: last.y + last.height - first.y)
            planes.fill(bar, blue: 128, red: 128)
        }
    }

    /// Two rows, each a twelfth of the height, end at four fifths of it: neither at an edge, nor in the middle.
    private static func field(_ row: Int, _ column: Int, of size: VideoSize) -> PixelArea {
        let top = size.height * 19 / 30 + row * size.height / 12
        let bottom = size.height * 19 / 30 + (row + 1) * size.height / 12
        let left = column * size.width / columns
        return PixelArea(x: left, y: top, width: (column + 1) * size.width / columns - left, height: bottom - top)
    }

    // MARK: Reading

    /// Reads the code of a whole picture, of whatever size from about 64×36 on. `nil`: there is none.
    package init?(in frame: VideoFrame) {
        let size = frame.size
        guard size.width >= 3 * Self.columns, size.height >= 36, frame.bytes.count >= size.area else { return nil }
        let means = (0..<Self.rows * Self.columns).map { index in
            Self.mean(row: index / Self.columns, column: index % Self.columns, in: frame)
        }
        guard let darkest = means.min(), let lightest = means.max(), lightest - darkest >= 40 else { return nil }
        let threshold = (darkest + lightest) / 2
        self.init(bits: means.reduce(0) { $0 << 1 | ($1 > threshold ? 1 : 0) })
    }

    /// The mean of a field's inner half, where its neighbours do not smear into it.
    private static func mean(row: Int, column: Int, in frame: VideoFrame) -> Int {
        let (width, height) = (Double(frame.size.width) / 16, Double(frame.size.height) / 12)
        let rows = inner(from: Double(frame.size.height) * 19 / 30 + Double(row) * height, length: height)
        let columns = inner(from: Double(column) * width, length: width)
        var sum = 0
        for y in rows {
            for x in columns { sum += Int(frame.bytes[y * frame.size.width + x]) }
        }
        return sum / (rows.count * columns.count)
    }

    /// The pixels in the inner half of a stretch; one at the least.
    private static func inner(from start: Double, length: Double) -> Range<Int> {
        let first = Int((start + length / 4).rounded(.up))
        return first..<max(first + 1, Int(start + length * 3 / 4))
    }
}
