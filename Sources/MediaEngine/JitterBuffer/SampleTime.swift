import Primitives

/// Conversions between clock time and samples at 48 kHz, the one unit of time inside the jitter buffer.
enum SampleTime {
    static let perMillisecond = AudioFormat.rateHz / 1000
    static let frame = AudioFormat.frameSampleCount

    /// `time` in samples since the clock's origin.
    static func samples(at time: MonoTime) -> Int {
        samples(nanoseconds: time.nanoseconds)
    }

    static func samples(in duration: Duration) -> Int {
        samples(nanoseconds: duration.nanoseconds)
    }

    static func milliseconds(_ samples: Int) -> Double {
        Double(samples) / Double(perMillisecond)
    }

    private static func samples(nanoseconds: Int64) -> Int {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Int(whole) &* perMillisecond &+ Int(rest) * perMillisecond / 1_000_000
    }
}
