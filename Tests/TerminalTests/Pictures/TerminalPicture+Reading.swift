@testable import Terminal

/// A terminal that shows a canvas's bytes: reads them back into the colours of the samples.
struct CellReader {
    private let mode: PictureMode
    private let size: Size
    private var cells: [PictureCell]
    private var (row, column) = (0, 0)
    private var foreground = PictureColor.standard
    private var background = PictureColor.standard

    init(mode: PictureMode, size: Size) {
        (self.mode, self.size) = (mode, size)
        cells = Array(repeating: PictureCell(solid: .standard), count: size.rows * size.columns)
    }

    /// As `PictureMeasure.samples`.
    var samples: [PictureColor] {
        PictureMeasure.samples(PictureCanvas(mode: mode, size: size), cells)
    }

    mutating func read(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let character = rest.popFirst() {
            guard character == "\u{1B}" else {
                put(character)
                continue
            }
            rest = rest.dropFirst()
            let body = rest.prefix { $0.isNumber || $0 == ";" }
            rest = rest.dropFirst(body.count)
            let numbers = body.split(separator: ";").compactMap { Int($0) }
            switch rest.popFirst() {
            case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
            case "C": column += numbers.first ?? 1
            default: select(numbers[...])
            }
        }
    }

    private mutating func put(_ character: Character) {
        let pattern = UInt8(mode.glyphs.characters.firstIndex(of: character) ?? 255)
        // On a ramp, and without colours, what is drawn with is not read back; the terminal's own is white on black.
        let ink = mode.colors == .none ? PictureColor(red: 255, green: 255, blue: 255) : foreground
        let ground = mode.colors == .none ? PictureColor(bits: 0) : background
        cells[row * size.columns + column] = PictureCell(pattern: pattern, foreground: ink, background: ground)
        column += 1
    }

    private mutating func select(_ numbers: ArraySlice<Int>) {
        var rest = numbers
        if rest.isEmpty { (foreground, background) = (.standard, .standard) }
        while let number = rest.popFirst() {
            switch number {
            case 38: foreground = color(&rest)
            case 48: background = color(&rest)
            case 39: foreground = .standard
            case 49: background = .standard
            case 30...37: foreground = first(number - 30)
            case 40...47: background = first(number - 40)
            case 90...97: foreground = first(number - 82)
            default: background = first(number - 92)
            }
        }
    }

    private func first(_ index: Int) -> PictureColor {
        PictureColor(.indexed(UInt8(index)), in: mode.colors)
    }

    private func color(_ rest: inout ArraySlice<Int>) -> PictureColor {
        guard rest.popFirst() == 2 else { return first(rest.popFirst() ?? 0) }
        let channels = rest.prefix(3).map(Int32.init)
        rest = rest.dropFirst(3)
        return PictureColor(red: channels[0], green: channels[1], blue: channels[2])
    }
}
