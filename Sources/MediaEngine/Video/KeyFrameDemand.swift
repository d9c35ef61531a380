internal import Primitives

/// When a receiver asks for a key frame: at once when nothing else helps, and again every 200 ms until one is there.
struct KeyFrameDemand: Sendable {
    static let interval = Duration.milliseconds(200)

    private(set) var isWanted = false
    /// How often it was asked.
    private(set) var askedCount: UInt64 = 0
    private var next = MonoTime.zero

    mutating func want(at now: MonoTime) {
        guard !isWanted else { return }
        isWanted = true
        next = max(next, now)
    }

    /// A key frame is on its way: there is time until it must be whole.
    mutating func keyFrameArrives(at now: MonoTime) {
        next = max(next, now + Self.interval)
    }

    /// A key frame is there.
    mutating func satisfy() {
        isWanted = false
    }

    var deadline: MonoTime? {
        isWanted ? next : nil
    }

    /// Whether to ask now.
    mutating func take(at now: MonoTime) -> Bool {
        guard isWanted, next <= now else { return false }
        next = now + Self.interval
        askedCount += 1
        return true
    }
}
