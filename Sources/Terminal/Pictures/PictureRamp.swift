/// Shows one sample a cell by how dark a character is, for terminals without block characters or without colours that
/// can be relied on.
struct PictureRamp {
    /// From empty to full, each a step darker.
    static let characters = Array(" .:-=+*#%@")
    private static let steps = Int32(characters.count - 1)

    /// The nearest cell by the upper 4 bits of red, green and blue.
    private let nearest: [PictureCell]
    private let isGrey: Bool

    init(colors: PictureMode.Colors) {
        // Black is what the background is, and shows nothing.
        let inks: [PictureColor] =
            if case .first(let count) = colors {
                (1..<count).map { PictureColor(.indexed(UInt8($0)), in: colors) }
            } else {
                [PictureColor(red: 255, green: 255, blue: 255)]
            }
        isGrey = colors == .none
        let candidates = inks.flatMap { ink in
            (0...Self.steps).map { PictureCell(pattern: UInt8($0), foreground: ink, background: .init(bits: 0)) }
        }
        nearest = (0..<4096).map { key in
            let (red, green, blue) = (Int32(key >> 8) * 17, Int32(key >> 4 & 15) * 17, Int32(key & 15) * 17)
            return candidates.min {
                Self.distance($0, red, green, blue) < Self.distance($1, red, green, blue)
            } ?? PictureCell(solid: .standard)
        }
    }

    /// The nearest cell to a sample.
    func cell(_ red: Int32, _ green: Int32, _ blue: Int32) -> PictureCell {
        let (red, green, blue) = seen(red, green, blue)
        return nearest[Int((red >> 4) << 8 | (green >> 4) << 4 | blue >> 4)]
    }

    /// The squared error of showing a sample as `cell`.
    func error(_ cell: PictureCell, _ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
        let (red, green, blue) = seen(red, green, blue)
        return Self.distance(cell, red, green, blue)
    }

    private func seen(_ red: Int32, _ green: Int32, _ blue: Int32) -> (Int32, Int32, Int32) {
        guard isGrey else { return (red, green, blue) }
        // Rec. 601 luma.
        let luma = (red * 299 + green * 587 + blue * 114) / 1000
        return (luma, luma, luma)
    }

    private static func distance(_ cell: PictureCell, _ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
        let (ink, step) = (cell.foreground, Int32(cell.pattern))
        return PictureColor(red: ink.red * step / steps, green: ink.green * step / steps, blue: ink.blue * step / steps)
            .distance(red: red, green: green, blue: blue)
    }
}
