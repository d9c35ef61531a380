/// A colour of a picture's cell: red, green and blue, and the palette's entry that shows it, if the palette does.
struct PictureColor: Hashable, BitwiseCopyable {
    /// The palette's entry in the upper 8 bits (0: none), then red, green, blue.
    let bits: UInt32

    /// The terminal's own colour.
    static let standard = PictureColor(bits: .max)

    @inline(__always)
    init(bits: UInt32) {
        self.bits = bits
    }

    @inline(__always)
    init(red: Int32, green: Int32, blue: Int32) {
        bits = UInt32(bitPattern: red << 16 | green << 8 | blue)
    }

    /// What a theme names, as near as `colors` shows it.
    init(_ color: Color, in colors: PictureMode.Colors) {
        let shown = colors == .direct ? color : color.reduced(to: colors.depth)
        guard let components = shown.components else {
            self = .standard
            return
        }
        var bits = UInt32(components.red << 16 | components.green << 8 | components.blue)
        if case .indexed(let index) = shown { bits |= UInt32(index) << 24 }
        self.init(bits: bits)
    }

    @inline(__always) var red: Int32 { Int32(truncatingIfNeeded: bits >> 16 & 0xFF) }
    @inline(__always) var green: Int32 { Int32(truncatingIfNeeded: bits >> 8 & 0xFF) }
    @inline(__always) var blue: Int32 { Int32(truncatingIfNeeded: bits & 0xFF) }
    /// 0: direct colour. Black, entry 0, needs no name of its own among pictures' colours: the cube has it.
    @inline(__always) var paletteIndex: UInt32 { bits >> 24 }

    /// The squared distance.
    @inline(__always)
    func distance(red: Int32, green: Int32, blue: Int32) -> Int32 {
        let (red, green, blue) = (self.red - red, self.green - green, self.blue - blue)
        return red * red + green * green + blue * blue
    }
}

extension PictureMode.Colors {
    var depth: ColorDepth {
        switch self {
        case .none: .mono
        case .first(let count): ColorDepth(colorCount: count)
        case .palette, .direct: .palette256
        }
    }
}
