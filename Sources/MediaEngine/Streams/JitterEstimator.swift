import Primitives

/// Interarrival jitter in ticks of the RTP clock (RFC 3550, appendix A.8).
struct JitterEstimator: Sendable {
    /// A step in transit time beyond this is a new clock, not jitter.
    private static let plausibleSeconds: Int64 = 5

    private(set) var ticks = 0.0
    private var lastTransit: UInt32?

    mutating func update(timestamp: UInt32, rateHz: Int32, at now: MonoTime) {
        let arrival = (now - .zero).rtpTicks(rateHz: rateHz)
        let transit = UInt32(truncatingIfNeeded: arrival) &- timestamp
        defer { lastTransit = transit }
        guard let lastTransit else { return }
        let step = Int64(Int32(bitPattern: transit &- lastTransit)).magnitude
        guard step <= UInt64(Self.plausibleSeconds * Int64(rateHz)) else { return }
        ticks += (Double(step) - ticks) / 16
    }

    mutating func reset() {
        self = JitterEstimator()
    }
}
