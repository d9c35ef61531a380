/// How a terminal shows pictures: by which characters, in which colours.
package struct PictureMode: Hashable, Sendable {
    /// What a cell is divided into.
    package enum Glyphs: String, Hashable, Sendable, CaseIterable {
        /// One sample a cell, by the darkness of an ASCII character.
        case ascii
        /// Upper and lower, left and right half (U+2580, U+2584, U+258C, U+2590): every terminal with UTF-8 has them.
        case half
        /// Two by two (U+2596…, Unicode 3.2).
        case quadrant
        /// Two by three (U+1FB00…, Unicode 13).
        case sextant

        /// Samples across and down one cell.
        var samples: (across: Int, down: Int) {
            switch self {
            case .ascii: (1, 1)
            case .half, .quadrant: (2, 2)
            case .sextant: (2, 3)
            }
        }

        /// The ways to divide a cell in two, each as the samples of the part without the last one.
        var divisions: [Int32] {
            switch self {
            case .ascii: []
            case .half: [0b0011, 0b0101]
            case .quadrant: Array(1..<8)
            case .sextant: Array(1..<32)
            }
        }
    }

    package enum Colors: Hashable, Sendable {
        case none
        /// The first entries of the palette, 8 or 16, whose colours vary from user to user.
        case first(Int)
        /// The 240 entries of xterm's palette that are the same everywhere.
        case palette
        /// 24 bits.
        case direct
    }

    package let glyphs: Glyphs
    package let colors: Colors

    /// Block characters need a palette of fixed colours; without one there is ASCII.
    package init(glyphs: Glyphs, colors: Colors) {
        self.glyphs = colors == .palette || colors == .direct ? glyphs : .ascii
        self.colors = colors
    }

    /// The best that a terminal is known to show.
    ///
    /// - Parameter wish: the user's, which is taken as far as colours and encoding allow.
    package init(_ environment: TerminalEnvironment, depth: ColorDepth, isUTF8: Bool, wish: Glyphs? = nil) {
        let colors: Colors =
            switch depth {
            case .mono: .none
            case .eight, .sixteen: .first(depth.rawValue)
            case .palette256: environment.hasDirectColor ? .direct : .palette
            case .direct: .direct
            }
        self.init(glyphs: isUTF8 ? wish ?? environment.bestGlyphs : .ascii, colors: colors)
    }

    /// Columns and rows of samples that `size` shows.
    package func sampleSize(of size: Size) -> (width: Int, height: Int) {
        (size.columns * glyphs.samples.across, size.rows * glyphs.samples.down)
    }
}
