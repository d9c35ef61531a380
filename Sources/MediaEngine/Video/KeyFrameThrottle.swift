package import Primitives

/// When an encoder is to make a key frame: at once when somebody asks, but not twice in 300 ms, since the one before may
/// still be on its way to those who ask.
package struct KeyFrameThrottle: Hashable, Sendable {
    package static let interval = Duration.milliseconds(300)

    /// Demands that were followed, and those that came too soon after another.
    package private(set) var grantedCount = 0
    package private(set) var refusedCount = 0
    private var isWanted = false
    private var lastGranted: MonoTime?

    package init() {}

    /// When the next demand is followed at the earliest.
    package var opening: MonoTime { lastGranted.map { $0 + Self.interval } ?? .zero }

    /// A peer asks for a key frame (PLI or FIR), or one has joined.
    package mutating func request(at now: MonoTime) {
        guard now >= opening else {
            refusedCount += 1
            return
        }
        isWanted = true
    }

    /// Whether the frame that is encoded now is to be a key frame.
    package mutating func take(at now: MonoTime) -> Bool {
        guard isWanted else { return false }
        isWanted = false
        lastGranted = now
        grantedCount += 1
        return true
    }
}
