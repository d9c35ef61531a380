import CYuv
import Glibc
import MediaEngine
import Primitives

/// A picture to draw on: 32 bits a pixel, 0xAARRGGBB, row after row.
struct PixelCanvas {
    let size: VideoSize
    private(set) var pixels: [UInt32]

    init(_ size: VideoSize, color: UInt32 = 0) {
        self.size = size
        pixels = [UInt32](repeating: color, count: size.area)
    }

    /// Lends the pixels to `body` for writing.
    mutating func withPixels(_ body: (UnsafeMutableBufferPointer<UInt32>) -> Void) {
        pixels.withUnsafeMutableBufferPointer { body($0) }
    }

    /// Converts `area` into `frame`, which has this size; the area grows to even edges, as chroma needs.
    func convert(_ area: PixelArea, into frame: inout VideoFrame) {
        let area = area.even(within: size)
        guard frame.size == size, area.width > 0, area.height > 0 else { return }
        let offset = area.y * size.width + area.x
        pixels.withUnsafeBytes { source in
            frame.withMutablePlanes { to in
                let chroma = area.y / 2 * Int(to.chromaStride) + area.x / 2
                // libyuv's names go by little-endian words, as the pixels here do.
                _ = ARGBToI420(
                    source.bindMemory(to: UInt8.self).baseAddress! + 4 * offset, Int32(4 * size.width),
                    to.y + offset, to.yStride, to.u + chroma, to.chromaStride, to.v + chroma, to.chromaStride,
                    Int32(area.width), Int32(area.height))
            }
        }
    }
}

/// A rectangle of pixels.
struct PixelArea: Hashable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// Grown to even edges, but not beyond `size`.
    func even(within size: VideoSize) -> PixelArea {
        let left = max(0, x & ~1)
        let top = max(0, y & ~1)
        let right = min(size.width, (x + width + 1) & ~1)
        let bottom = min(size.height, (y + height + 1) & ~1)
        return PixelArea(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }

    func union(_ other: PixelArea) -> PixelArea {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelArea(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}
