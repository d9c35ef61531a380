import Primitives

/// The round trip as RTCP measures it: the latest, and the sum for a mean.
package struct RoundTripTimer: Hashable, Sendable {
    /// More than this is taken for a broken clock, and so is an answer from further in the future than rounding and
    /// drift explain.
    private static let plausible = Duration.seconds(60)
    private static let tolerance = Duration.milliseconds(50)

    package private(set) var latest: Duration?
    package private(set) var total = Duration.zero
    package private(set) var measurementCount = 0

    package init() {}

    /// Takes an answer that arrived at `arrival` to a report sent at `sent`, held back for `delay`, all in the middle
    /// 32 bits of NTP time (RFC 3550, section 6.4.1). Returns the round trip; `nil`: there is none in it.
    mutating func measure(sent: UInt32, delay: UInt32, arrival: UInt32) -> Duration? {
        guard sent != 0 else { return nil }
        let units = Int64(Int32(bitPattern: arrival &- sent &- delay))
        let measured = Duration.nanoseconds(units * 1_000_000_000 / 65_536)
        guard measured >= .zero - Self.tolerance, measured <= Self.plausible else { return nil }
        let roundTrip = max(measured, .zero)
        latest = roundTrip
        total += roundTrip
        measurementCount += 1
        return roundTrip
    }
}
