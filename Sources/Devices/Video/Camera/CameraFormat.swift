package import MediaEngine

/// One way in which a camera can give pictures.
package struct CameraFormat: Hashable, Sendable, CustomStringConvertible {
    package var pixels: PixelFormat
    package var size: VideoSize
    /// Pictures a second, rounded; the camera's fastest for this size is among several.
    package var frameRate: Int

    package init(pixels: PixelFormat, size: VideoSize, frameRate: Int) {
        self.pixels = pixels
        self.size = size
        self.frameRate = frameRate
    }

    /// `YUYV 640x480@30`.
    package var description: String {
        "\(pixels.rawValue) \(CaptureFormat(size: size, frameRate: frameRate))"
    }

    /// The format that comes nearest to `wanted`; `nil` when there is none.
    ///
    /// The size counts first: the smallest that covers the wanted one, else the largest below. Then the rate: fast
    /// enough, and no faster than needed. Then the layout: what costs least to convert.
    package static func nearest(to wanted: CaptureFormat, in formats: [CameraFormat]) -> CameraFormat? {
        formats.min { rank($0, wanted).lexicographicallyPrecedes(rank($1, wanted)) }
    }

    /// Less is better; earlier entries count more.
    private static func rank(_ format: CameraFormat, _ wanted: CaptureFormat) -> [Int] {
        let covers = format.size.width >= wanted.size.width && format.size.height >= wanted.size.height
        let distance = covers ? format.size.area - wanted.size.area : wanted.size.area - format.size.area
        let isSlow = format.frameRate < wanted.frameRate
        let layouts: [PixelFormat] = [.i420, .nv12, .yuyv, .mjpeg]
        return [
            covers ? 0 : 1, distance, isSlow ? 1 : 0,
            isSlow ? wanted.frameRate - format.frameRate : format.frameRate - wanted.frameRate,
            layouts.firstIndex(of: format.pixels) ?? layouts.count,
        ]
    }
}
