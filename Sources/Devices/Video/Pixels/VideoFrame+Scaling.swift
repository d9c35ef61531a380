import CYuv
package import MediaEngine

extension VideoFrame {
    /// The picture stretched to `size`.
    package func scaled(to size: VideoSize) -> VideoFrame {
        resampled(FrameFit(whole: self.size, to: size))
    }

    /// The part that `fit`, which was made for this picture's size, says, in the size that it says.
    package func resampled(_ fit: FrameFit) -> VideoFrame {
        if fit.part == size, fit.size == size { return self }
        let result = withPlanes { source in
            let from = source.moved(x: fit.x, y: fit.y)
            return VideoFrame(fit.size, time: time) { to in
                I420Scale(
                    from.y, from.yStride, from.u, from.chromaStride, from.v, from.chromaStride,
                    Int32(fit.part.width), Int32(fit.part.height),
                    to.y, to.yStride, to.u, to.chromaStride, to.v, to.chromaStride,
                    Int32(fit.size.width), Int32(fit.size.height), kFilterBox) == 0
            }
        }
        return result ?? .black(fit.size, time: time)
    }

    /// The picture in `size`, as red, green and blue bytes of each pixel, row after row (ITU-R BT.601).
    package func rgb(_ size: VideoSize) -> [UInt8] {
        let frame = scaled(to: size)
        let byteCount = 3 * size.area
        return frame.withPlanes { from in
            [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
                // libyuv's names go by little-endian words: its RAW has red first in memory.
                let status = I420ToRAW(
                    from.y, from.yStride, from.u, from.chromaStride, from.v, from.chromaStride,
                    buffer.baseAddress, Int32(3 * size.width), Int32(size.width), Int32(size.height))
                count = status == 0 ? byteCount : 0
            }
        }
    }
}
