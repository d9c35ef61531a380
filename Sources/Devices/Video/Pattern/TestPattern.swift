import Glibc
package import MediaEngine
package import Primitives

/// Pictures of a moving pattern, with the time in digits and as a `Timecode`. Eight numbers look different: each has a
/// colour and a ground of its own.
package struct TestPattern: Sendable {
    package static let count = 8

    /// Which of the patterns: 0..<count; the timecode carries it.
    package let number: Int
    package let size: VideoSize
    /// What stands above the digits, such as a name; printed as far as there is room.
    package let label: String
    private let ground: VideoFrame
    private let hue: Hue

    package init(number: Int, size: VideoSize, label: String = "") {
        self.number = number.clamped(to: 0...Self.count - 1)
        self.size = size
        self.label = label
        hue = Hue.all[self.number]
        ground = Self.ground(self.number, size: size, hue: hue)
    }

    /// The picture of `time`.
    package func frame(at time: MonoTime) -> VideoFrame {
        var frame = VideoFrame(size: size, bytes: ground.bytes, time: time)
        let milliseconds = Int(time.nanoseconds / 1_000_000)
        frame.withMutablePlanes { planes in
            planes.fill(block(at: milliseconds), hue.light)
            let scale = max(1, size.width / 160)
            draw(label, row: size.height / 8, scale: scale, on: planes)
            draw(Self.clock(milliseconds), row: size.height / 2 - 13 * scale / 2, scale: scale, on: planes)
        }
        Timecode(number: number, time: time).draw(on: &frame)
        return frame
    }

    /// A block that runs from the left to the right in 2 s, and up and down in 3 s.
    private func block(at milliseconds: Int) -> PixelArea {
        let side = max(2, size.height / 5) & ~1
        let x = milliseconds % 2000 * (size.width - side) / 2000
        let phase = milliseconds % 3000
        let y = min(phase, 3000 - phase) * (size.height - side) / 1500
        return PixelArea(x: x & ~1, y: y & ~1, width: min(side, size.width), height: min(side, size.height))
    }

    /// Minutes, seconds and milliseconds, as the timecode has them.
    private static func clock(_ milliseconds: Int) -> String {
        let shown = milliseconds & (Timecode.period - 1)
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(shown / 60_000, 2)):\(padded(shown / 1000 % 60, 2)).\(padded(shown % 1000, 3))"
    }

    /// Writes `text` in white on black, in the middle.
    private func draw(_ text: String, row: Int, scale: Int, on planes: TargetPlanes) {
        let room = size.width / (BitmapFont.width * scale)
        let characters = text.unicodeScalars.prefix(room)
        let width = characters.count * BitmapFont.width * scale
        let height = BitmapFont.height * scale
        guard width > 0, row >= 0, row + height <= size.height else { return }
        let left = ((size.width - width) / 2) & ~1
        planes.fill(PixelArea(x: left, y: row, width: width, height: height), luma: 16)
        planes.fill(PixelArea(x: left, y: row, width: width, height: height), blue: 128, red: 128)
        for (column, character) in characters.enumerated() {
            for (line, bits) in BitmapFont.standard.glyph(character.value).enumerated() where bits != 0 {
                for pixel in 0..<BitmapFont.width where bits & (0x80 >> pixel) != 0 {
                    let x = left + (column * BitmapFont.width + pixel) * scale
                    planes.fill(
                        PixelArea(x: x, y: row + line * scale, width: scale, height: scale), luma: 235)
                }
            }
        }
    }
}

extension TestPattern {
    /// A dark and a light shade of one colour.
    private struct Hue: Sendable {
        let dark: PixelColor
        let light: PixelColor

        init(_ red: Int, _ green: Int, _ blue: Int) {
            dark = PixelColor(red: red / 3, green: green / 3, blue: blue / 3)
            light = PixelColor(red: red, green: green, blue: blue)
        }

        static let all = [
            Hue(80, 160, 255), Hue(255, 120, 60), Hue(70, 210, 90), Hue(230, 90, 220), Hue(240, 210, 60),
            Hue(60, 210, 210), Hue(235, 70, 80), Hue(190, 190, 190),
        ]
    }

    /// The still ground: stripes across, stripes down, a board of squares or frames, narrow or wide.
    private static func ground(_ number: Int, size: VideoSize, hue: Hue) -> VideoFrame {
        var frame = VideoFrame.black(size, time: .zero)
        let middle = PixelColor(between: hue.dark, and: hue.light)
        let step = max(2, size.height / (number < 4 ? 6 : 12)) & ~1
        frame.withMutablePlanes { planes in
            planes.fill(PixelArea(x: 0, y: 0, width: size.width, height: size.height), hue.dark)
            for area in figures(number % 4, step: step, size: size) { planes.fill(area, middle) }
        }
        return frame
    }

    private static func figures(_ kind: Int, step: Int, size: VideoSize) -> [PixelArea] {
        let rows = stride(from: 0, to: size.height, by: step)
        let columns = stride(from: 0, to: size.width, by: step)
        func area(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelArea {
            PixelArea(x: x, y: y, width: min(width, size.width - x), height: min(height, size.height - y))
        }
        return switch kind {
        case 0: rows.filter { $0 / step % 2 == 0 }.map { area(0, $0, size.width, step) }
        case 1: columns.filter { $0 / step % 2 == 0 }.map { area($0, 0, step, size.height) }
        case 2:
            rows.flatMap { y in
                columns.filter { ($0 / step + y / step) % 2 == 0 }.map { area($0, y, step, step) }
            }
        default:
            columns.filter { $0 / step % 4 == 0 }.flatMap { x in
                rows.filter { $0 / step % 3 == 0 }.map { area(x, $0, 2 * step, step) }
            }
        }
    }
}

extension PixelColor {
    fileprivate init(between one: PixelColor, and other: PixelColor) {
        luma = UInt8((2 * Int(one.luma) + Int(other.luma)) / 3)
        blue = UInt8((2 * Int(one.blue) + Int(other.blue)) / 3)
        red = UInt8((2 * Int(one.red) + Int(other.red)) / 3)
    }
}
