import MediaEngine
import Primitives

/// Chooses how much effort an encoder spends, by the share of a frame's time that its frames take.
///
/// It begins with what suits the size, never spends more than that, goes faster while frames take too long, and comes
/// back when there has been room for a while.
struct EncoderSpeed: Sendable {
    /// Shares of a frame's time.
    private static let tooMuch = 0.6
    private static let little = 0.25
    /// Frames that are averaged, and frames between two changes.
    private static let memory = 15.0
    private static let pause = 30
    /// Frames with room before more effort is dared.
    private static let patience = 150

    /// In the codec's own scale, as its `cpu-used` takes it.
    private(set) var value: Int
    private let slowest: Int
    private let fastest: Int
    private var load = 0.0
    private var framesSinceChange = 0
    private var framesWithRoom = 0

    /// VP8 takes negative values, −16 the fastest; its positive ones adapt by a measure of their own. VP9 takes 5…9.
    init(codec: VideoCodec, size: VideoSize) {
        switch codec {
        case .vp8:
            slowest = size.area < 352 * 288 ? -4 : -6
            fastest = -16
        case .vp9:
            slowest = size.area <= 320 * 180 ? 6 : size.area <= 640 * 360 ? 7 : 8
            fastest = 9
        }
        value = slowest
    }

    /// Takes how long a frame took. Returns `true` when `value` changed.
    mutating func record(_ time: Duration, frameInterval: Duration) -> Bool {
        load += (time.seconds / max(frameInterval.seconds, 1e-3) - load) / Self.memory
        framesSinceChange += 1
        framesWithRoom = load < Self.little ? framesWithRoom + 1 : 0
        guard framesSinceChange >= Self.pause else { return false }
        if load > Self.tooMuch, value != fastest { return step(toward: fastest) }
        if framesWithRoom >= Self.patience, value != slowest { return step(toward: slowest) }
        return false
    }

    private mutating func step(toward goal: Int) -> Bool {
        value += goal > value ? min(2, goal - value) : max(-2, goal - value)
        framesSinceChange = 0
        framesWithRoom = 0
        return true
    }
}
