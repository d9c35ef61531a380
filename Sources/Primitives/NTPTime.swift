import Glibc

/// Wall-clock time in the 64-bit NTP format of sender reports (RFC 3550, section 4): 32.32 fixed-point seconds
/// since 1900.
package struct NTPTime: Hashable, Sendable, BitwiseCopyable {
    /// Seconds in the upper and fractions of a second in the lower 32 bits.
    package var bits: UInt64

    package init(bits: UInt64) {
        self.bits = bits
    }

    /// The time `unixNanoseconds` after 1970-01-01T00:00:00Z.
    package init(unixNanoseconds: Int64) {
        let seconds = UInt64(bitPattern: unixNanoseconds / 1_000_000_000 + 2_208_988_800)
        let fraction = UInt64(unixNanoseconds % 1_000_000_000) << 32 / 1_000_000_000
        bits = seconds << 32 | fraction
    }

    /// Reads `CLOCK_REALTIME`. For drivers only.
    package static func now() -> NTPTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return NTPTime(unixNanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The middle 32 bits, as the LSR and DLSR fields of report blocks carry them (RFC 3550, section 6.4.1).
    package var middle: UInt32 {
        UInt32(truncatingIfNeeded: bits >> 16)
    }
}
