package import Primitives

/// Width and height of a picture, in pixels.
package struct VideoSize: Hashable, Sendable, BitwiseCopyable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Pixels of one chroma plane of I420: half of each side, rounded up.
    package var chroma: VideoSize {
        VideoSize(width: (width + 1) / 2, height: (height + 1) / 2)
    }

    /// Pixels.
    package var area: Int { width * height }
}

/// One picture: I420 (8 bits a sample, full planes one after another, no padding), and when it was taken.
///
/// The bytes are shared until somebody writes to them, so that a frame may go to several encoders and screens.
package struct VideoFrame: Sendable {
    package let size: VideoSize
    /// Y (`size.area` bytes), then U and V (`size.chroma.area` bytes each).
    package var bytes: [UInt8]
    /// When the picture was taken or, for one that was received, when it is to be shown.
    package var time: MonoTime

    /// - Parameter bytes: `byteCount(of: size)` of them.
    package init(size: VideoSize, bytes: [UInt8], time: MonoTime) {
        self.size = size
        self.bytes = bytes
        self.time = time
    }

    /// A black picture (Y 16, U and V 128: limited range, ITU-R BT.601).
    package static func black(_ size: VideoSize, time: MonoTime) -> VideoFrame {
        let luma = [UInt8](repeating: 16, count: size.area)
        return VideoFrame(size: size, bytes: luma + [UInt8](repeating: 128, count: 2 * size.chroma.area), time: time)
    }

    /// Bytes of a picture of `size`.
    package static func byteCount(of size: VideoSize) -> Int {
        size.area + 2 * size.chroma.area
    }

    /// Where the three planes lie in `bytes`, in the order Y, U, V.
    package static func planes(of size: VideoSize) -> (y: Range<Int>, u: Range<Int>, v: Range<Int>) {
        let chroma = size.chroma.area
        return (0..<size.area, size.area..<size.area + chroma, size.area + chroma..<size.area + 2 * chroma)
    }
}
