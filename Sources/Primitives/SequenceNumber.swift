/// A 16-bit RTP sequence number with serial-number arithmetic (RFC 3550, appendix A.1; RFC 1982).
package struct SequenceNumber: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package init(_ value: UInt16) {
        rawValue = value
    }

    /// The signed distance from `other` to `self`, −32768…32767: positive when `self` is newer.
    package func distance(from other: SequenceNumber) -> Int {
        Int(Int16(bitPattern: rawValue &- other.rawValue))
    }

    package static func + (left: SequenceNumber, right: Int) -> SequenceNumber {
        SequenceNumber(left.rawValue &+ UInt16(truncatingIfNeeded: right))
    }
}

/// Undoes the wraps of a counter of 16 or 32 bits: each value becomes the 64-bit one nearest to the last.
package struct Unwrapper<Counter: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var last: Int64?

    package init() {}

    /// The extended value of `value`; the first one is itself.
    package mutating func unwrap(_ value: Counter) -> Int64 {
        let extended = peek(value)
        last = extended
        return extended
    }

    /// What `unwrap` would return, without moving the reference.
    package func peek(_ value: Counter) -> Int64 {
        guard let last else { return Int64(value) }
        let step = value &- Counter(truncatingIfNeeded: last)
        let half = Counter(1) << (Counter.bitWidth - 1)
        return step < half ? last &+ Int64(step) : last &- Int64(0 &- step)
    }
}
