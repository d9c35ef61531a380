import MediaEngine
import Primitives

/// Rates of one peer's pictures, from their counters at two moments.
struct VideoMeter {
    /// What is counted of one direction.
    struct Counters: Hashable {
        /// Captured or received, and sent or shown.
        var framesIn: UInt64 = 0
        var framesOut: UInt64 = 0
        var payloadByteCount: UInt64 = 0
        /// Of the codec: its frames, their quantisers and its time.
        var framesCoded: UInt64 = 0
        var qpSum: UInt64 = 0
        var codecTime = Duration.zero
    }

    /// One direction's figures over the last interval.
    struct Rates: Hashable {
        var framesIn = 0.0
        var framesOut = 0.0
        var bitsPerSecond = 0.0
        /// Frames that went through the codec.
        var framesCoded = 0
        /// `nil`: none did.
        var averageQP: Double?
        var codecTime: Duration?
    }

    private(set) var received = Rates()
    private(set) var sent = Rates()
    private var last: (received: Counters, sent: Counters, at: MonoTime)?

    mutating func measure(received: Counters, sent: Counters, at now: MonoTime) {
        defer { last = (received, sent, now) }
        guard let last, now > last.at else { return }
        let seconds = (now - last.at).seconds
        self.received = Self.rates(from: last.received, to: received, seconds: seconds)
        self.sent = Self.rates(from: last.sent, to: sent, seconds: seconds)
    }

    private static func rates(from old: Counters, to new: Counters, seconds: Double) -> Rates {
        var rates = Rates()
        rates.framesIn = difference(old.framesIn, new.framesIn) / seconds
        rates.framesOut = difference(old.framesOut, new.framesOut) / seconds
        rates.bitsPerSecond = difference(old.payloadByteCount, new.payloadByteCount) * 8 / seconds
        let frames = difference(old.framesCoded, new.framesCoded)
        rates.framesCoded = Int(frames)
        guard frames > 0 else { return rates }
        rates.averageQP = difference(old.qpSum, new.qpSum) / frames
        rates.codecTime = .fractional(seconds: max(0, (new.codecTime - old.codecTime).seconds) / frames)
        return rates
    }

    /// Counters begin anew with each codec.
    private static func difference(_ old: UInt64, _ new: UInt64) -> Double {
        Double(new >= old ? new - old : new)
    }
}
