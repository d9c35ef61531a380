import CYuv
package import MediaEngine
package import Primitives

/// How cameras and files lay out their pixels, as far as they can be read here.
package enum PixelFormat: String, Hashable, Sendable, CaseIterable, BitwiseCopyable {
    /// 4:2:2, interleaved: Y U Y V.
    case yuyv = "YUYV"
    /// 4:2:0: a plane of Y and one of U and V in turn.
    case nv12 = "NV12"
    /// 4:2:0 in three planes, as in `VideoFrame`.
    case i420 = "YU12"
    /// Motion JPEG: each picture a JPEG file.
    case mjpeg = "MJPG"

    /// Pictures larger than this are refused: their size is what a camera or a JPEG's header claims.
    static let maximumSize = VideoSize(width: 4096, height: 4096)

    /// The picture in `bytes`. `nil`: they are too short for `size`, or malformed.
    /// - Parameter stride: bytes from one row to the next of the first plane; 0: there is no padding.
    package func picture(
        in bytes: UnsafeRawBufferPointer, size: VideoSize, stride: Int = 0, time: MonoTime
    ) -> VideoFrame? {
        guard (1...Self.maximumSize.width).contains(size.width), (1...Self.maximumSize.height).contains(size.height)
        else { return nil }
        let stride = max(stride, self == .yuyv ? 4 * size.chroma.width : size.width)
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress,
            bytes.count >= minimumByteCount(of: size, stride: stride)
        else { return nil }
        if self == .mjpeg { return Self.jpegPicture(base, byteCount: bytes.count, time: time) }
        return VideoFrame(size, time: time) { convert(base, size: size, stride: stride, to: $0) == 0 }
    }

    private func minimumByteCount(of size: VideoSize, stride: Int) -> Int {
        switch self {
        case .yuyv: stride * (size.height - 1) + 4 * size.chroma.width
        case .nv12: stride * (size.height + size.chroma.height - 1) + 2 * size.chroma.width
        case .i420: stride * size.height + 2 * ((stride + 1) / 2) * size.chroma.height
        case .mjpeg: 4
        }
    }

    private func convert(_ from: UnsafePointer<UInt8>, size: VideoSize, stride: Int, to: TargetPlanes) -> Int32 {
        let (width, height) = (Int32(size.width), Int32(size.height))
        switch self {
        case .yuyv:
            return YUY2ToI420(
                from, Int32(stride), to.y, to.yStride, to.u, to.chromaStride, to.v, to.chromaStride, width, height)
        case .nv12:
            let chroma = from + stride * size.height
            return NV12ToI420(
                from, Int32(stride), chroma, Int32(stride),
                to.y, to.yStride, to.u, to.chromaStride, to.v, to.chromaStride, width, height)
        case .i420:
            let chromaStride = (stride + 1) / 2
            let chroma = from + stride * size.height
            return I420Copy(
                from, Int32(stride), chroma, Int32(chromaStride),
                chroma + chromaStride * size.chroma.height, Int32(chromaStride),
                to.y, to.yStride, to.u, to.chromaStride, to.v, to.chromaStride, width, height)
        case .mjpeg:
            return -1
        }
    }

    /// The size is the one that the JPEG itself has.
    private static func jpegPicture(_ bytes: UnsafePointer<UInt8>, byteCount: Int, time: MonoTime) -> VideoFrame? {
        var (width, height): (Int32, Int32) = (0, 0)
        guard MJPGSize(bytes, byteCount, &width, &height) == 0,
            (1...Int32(maximumSize.width)).contains(width), (1...Int32(maximumSize.height)).contains(height)
        else { return nil }
        return VideoFrame(VideoSize(width: Int(width), height: Int(height)), time: time) { to in
            MJPGToI420(
                bytes, byteCount, to.y, to.yStride, to.u, to.chromaStride, to.v, to.chromaStride,
                width, height, width, height) == 0
        }
    }
}
