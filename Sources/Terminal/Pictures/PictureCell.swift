/// One cell of a picture: two colours, and which of its samples have which.
struct PictureCell: Hashable, BitwiseCopyable {
    /// A bit for each sample that has the foreground, the upper left one lowest. The last sample always has the
    /// background, so that a look has one form only. In ASCII: the place in the ramp.
    var pattern: UInt8
    var foreground: PictureColor
    var background: PictureColor

    @inline(__always)
    init(pattern: UInt8, foreground: PictureColor, background: PictureColor) {
        self.pattern = pattern
        self.foreground = foreground
        self.background = background
    }

    /// One colour all over.
    @inline(__always)
    init(solid color: PictureColor) {
        self.init(pattern: 0, foreground: color, background: color)
    }
}
