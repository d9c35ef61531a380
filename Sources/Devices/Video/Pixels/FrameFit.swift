package import MediaEngine

/// How a picture is brought to another size: which part of it is taken, and how large that part becomes.
package struct FrameFit: Hashable, Sendable, BitwiseCopyable {
    /// The part's upper left corner, in pixels of the source; even.
    package var x: Int
    package var y: Int
    /// The part's size, in pixels of the source.
    package var part: VideoSize
    /// What the part is scaled to.
    package var size: VideoSize

    /// The whole picture, stretched to `size`.
    package init(whole source: VideoSize, to size: VideoSize) {
        (x, y, part, self.size) = (0, 0, source, size)
    }

    /// The middle of the picture in the proportions of `wanted`, at most as large as `wanted`, never enlarged (Q48:
    /// cropped, and of whatever orientation: a portrait picture is given to `wanted` turned on its side).
    package init(cropping source: VideoSize, to wanted: VideoSize) {
        let target = Self.turned(wanted, like: source)
        let isWider = source.width * target.height > source.height * target.width
        let part =
            isWider
            ? VideoSize(width: max(1, source.height * target.width / target.height), height: source.height)
            : VideoSize(width: source.width, height: max(1, source.width * target.height / target.width))
        x = Self.even((source.width - part.width) / 2)
        y = Self.even((source.height - part.height) / 2)
        self.part = part
        size = part.width > target.width ? Self.even(target) : Self.even(part)
    }

    /// The whole picture in its own proportions, at most as large as `wanted`, never enlarged: what screens need, whose
    /// edges say something.
    package init(fitting source: VideoSize, into wanted: VideoSize) {
        let target = Self.turned(wanted, like: source)
        (x, y, part) = (0, 0, source)
        let isWider = source.width * target.height > source.height * target.width
        let fitted =
            isWider
            ? VideoSize(width: target.width, height: source.height * target.width / max(1, source.width))
            : VideoSize(width: source.width * target.height / max(1, source.height), height: target.height)
        let isLarger = source.width > target.width || source.height > target.height
        size = Self.even(isLarger ? fitted : source)
    }

    private static func turned(_ wanted: VideoSize, like source: VideoSize) -> VideoSize {
        let wanted = VideoSize(width: max(2, wanted.width), height: max(2, wanted.height))
        let isPortrait = source.height > source.width
        return isPortrait == (wanted.height > wanted.width)
            ? wanted : VideoSize(width: wanted.height, height: wanted.width)
    }

    private static func even(_ value: Int) -> Int {
        value & ~1
    }

    private static func even(_ size: VideoSize) -> VideoSize {
        VideoSize(width: max(2, even(size.width)), height: max(2, even(size.height)))
    }
}
