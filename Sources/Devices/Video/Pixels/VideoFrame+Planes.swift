import CYuv
import MediaEngine
import Primitives

/// The planes of one picture as libyuv takes them; valid inside the closure that gives them only.
struct PixelPlanes<Pointer> {
    let y: Pointer
    let u: Pointer
    let v: Pointer
    /// Bytes of one row of Y, and of one row of U or V.
    let yStride: Int32
    let chromaStride: Int32
}

typealias SourcePlanes = PixelPlanes<UnsafePointer<UInt8>>
typealias TargetPlanes = PixelPlanes<UnsafeMutablePointer<UInt8>>

extension VideoFrame {
    /// A picture whose planes `fill` writes; `nil` when there is nothing to write or `fill` says that it could not.
    init?(_ size: VideoSize, time: MonoTime, fill: (TargetPlanes) -> Bool) {
        guard size.width > 0, size.height > 0 else { return nil }
        let byteCount = Self.byteCount(of: size)
        var isFilled = false
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            isFilled = fill(TargetPlanes(base, of: size))
            count = isFilled ? byteCount : 0
        }
        guard isFilled else { return nil }
        self.init(size: size, bytes: bytes, time: time)
    }

    /// Lends the planes to `body`.
    func withPlanes<Result>(_ body: (SourcePlanes) -> Result) -> Result {
        precondition(bytes.count >= Self.byteCount(of: size) && size.area > 0, "a frame is as long as its size says")
        return bytes.withUnsafeBufferPointer { body(SourcePlanes($0.baseAddress!, of: size)) }
    }

    /// Lends the planes to `body` for writing.
    mutating func withMutablePlanes<Result>(_ body: (TargetPlanes) -> Result) -> Result {
        precondition(bytes.count >= Self.byteCount(of: size) && size.area > 0, "a frame is as long as its size says")
        let size = size
        return bytes.withUnsafeMutableBufferPointer { body(TargetPlanes($0.baseAddress!, of: size)) }
    }
}

extension PixelPlanes {
    private init(_ base: Pointer, of size: VideoSize, offset: (Pointer, Int) -> Pointer) {
        let planes = VideoFrame.planes(of: size)
        y = base
        u = offset(base, planes.u.lowerBound)
        v = offset(base, planes.v.lowerBound)
        yStride = Int32(size.width)
        chromaStride = Int32(size.chroma.width)
    }
}

extension PixelPlanes where Pointer == UnsafePointer<UInt8> {
    fileprivate init(_ base: Pointer, of size: VideoSize) {
        self.init(base, of: size, offset: +)
    }

    /// The planes from the pixel (`x`, `y`) on, both even.
    func moved(x: Int, y: Int) -> Self {
        let chroma = y / 2 * Int(chromaStride) + x / 2
        return Self(
            y: self.y + y * Int(yStride) + x, u: u + chroma, v: v + chroma, yStride: yStride,
            chromaStride: chromaStride)
    }

    private init(y: Pointer, u: Pointer, v: Pointer, yStride: Int32, chromaStride: Int32) {
        self.y = y
        self.u = u
        self.v = v
        self.yStride = yStride
        self.chromaStride = chromaStride
    }
}

extension PixelPlanes where Pointer == UnsafeMutablePointer<UInt8> {
    fileprivate init(_ base: Pointer, of size: VideoSize) {
        self.init(base, of: size, offset: +)
    }
}
