import MediaEngine
import Primitives

extension CaptureFormat {
    /// The nearest format that any source may give: even sides of 16 pixels to 4096, at most 30 frames a second (Q49).
    var possible: CaptureFormat {
        CaptureFormat(
            size: VideoSize(
                width: size.width.clamped(to: 16...4096) & ~1, height: size.height.clamped(to: 16...4096) & ~1),
            frameRate: frameRate.clamped(to: 1...Self.maximumFrameRate))
    }

    /// The time from one frame to the next.
    var period: Duration {
        .nanoseconds(1_000_000_000 / Int64(max(1, frameRate)))
    }
}
