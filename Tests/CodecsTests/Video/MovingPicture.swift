import MediaEngine
import Primitives

/// A textured plane under a camera that moves: smooth patches, edges and grain, the same for the same seed.
struct MovingPicture {
    private static let side = 512
    private let texture: [UInt8]
    let size: VideoSize
    let frameRate: Int

    init(_ size: VideoSize, frameRate: Int = 30, seed: UInt64 = 1) {
        self.size = size
        self.frameRate = frameRate
        var random = SplitMix64(seed: seed)
        let side = Self.side
        let waves = (0..<side).map { cosine(Double($0) * 2 * .pi / 64) * 45 }
        let slow = (0..<side).map { cosine(Double($0) * 2 * .pi / 256) * 40 }
        texture = [UInt8](unsafeUninitializedCapacity: side * side) { buffer, count in
            for y in 0..<side {
                for x in 0..<side {
                    let edge: Double = (x >> 5 ^ y >> 5) & 3 == 0 ? 25 : 0
                    let grain = Double(random.next() & 7)
                    buffer[y * side + x] = UInt8((115 + waves[x] + slow[y] + edge + grain).clamped(to: 16...235))
                }
            }
            count = side * side
        }
    }

    /// The picture number `index`.
    func frame(_ index: Int) -> VideoFrame {
        let (left, top) = (index * 3, index)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(VideoFrame.byteCount(of: size))
        append(size, left: left, top: top, to: &bytes)
        append(size.chroma, left: left / 2, top: top / 2, to: &bytes)
        append(size.chroma, left: left / 2 + 100, top: top / 2, to: &bytes)
        let time = MonoTime.zero + .nanoseconds(Int64(index) * 1_000_000_000 / Int64(frameRate))
        return VideoFrame(size: size, bytes: bytes, time: time)
    }

    private func append(_ size: VideoSize, left: Int, top: Int, to bytes: inout [UInt8]) {
        for row in 0..<size.height {
            let line = (row + top) % Self.side * Self.side
            var x = left % Self.side
            var rest = size.width
            while rest > 0 {
                let count = min(rest, Self.side - x)
                bytes += texture[line + x..<line + x + count]
                rest -= count
                x = 0
            }
        }
    }
}

/// Peak signal-to-noise ratio of the luma, in dB.
func lumaPSNR(_ left: [UInt8], _ right: [UInt8], size: VideoSize) -> Double {
    var sum = 0
    left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in
            for index in 0..<size.area {
                let difference = Int(left[index]) - Int(right[index])
                sum += difference * difference
            }
        }
    }
    let mean = max(Double(sum) / Double(size.area), 1e-9)
    return 10 * logarithm(255 * 255 / mean) / logarithm(10)
}
