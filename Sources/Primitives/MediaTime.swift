/// A media instant: RTP ticks extended beyond 32 bits, and their rate.
package struct MediaTime: Hashable, Sendable, BitwiseCopyable {
    /// Ticks since an arbitrary origin; wraps of the 32-bit RTP timestamp are already undone.
    package var ticks: Int64
    /// Ticks in a second.
    package var rateHz: Int32

    package init(ticks: Int64, rateHz: Int32) {
        self.ticks = ticks
        self.rateHz = rateHz
    }

    /// The time since the origin.
    package var duration: Duration {
        .nanoseconds(ticks / Int64(rateHz) * 1_000_000_000 + ticks % Int64(rateHz) * 1_000_000_000 / Int64(rateHz))
    }
}
