package import Primitives

/// Keeps a flow of pictures to a rate by leaving some out (Q48, Q49). The times are those of the pictures.
package struct FrameRateGate: Hashable, Sendable, BitwiseCopyable {
    private let period: Duration
    /// When the next picture goes through, or a little before; `nil`: any time.
    private(set) var next: MonoTime?

    /// `frameRate`: pictures a second at the most, over any longer time.
    package init(frameRate: Int) {
        period = .nanoseconds(1_000_000_000 / Int64(max(1, frameRate)))
    }

    /// Whether the picture taken at `time` goes through. One that comes a little early or late, as cameras' do, moves the
    /// next one's time by nothing: up to a quarter of the time between two.
    package mutating func admits(_ time: MonoTime) -> Bool {
        guard let due = next else {
            next = time + period
            return true
        }
        // A clock that went far back is another source's.
        if time - due < .nanoseconds(-2 * period.nanoseconds) {
            next = time + period
            return true
        }
        let slack = Duration.nanoseconds(period.nanoseconds / 4)
        guard time - due >= .zero - slack else { return false }
        next = max(due + period, time + period - slack)
        return true
    }
}
