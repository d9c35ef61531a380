/// The number of a picture as payload descriptors carry it: 7 or 15 bits, counted up by one from picture to picture
/// (RFC 7741, section 4.2; RFC 9628, section 4.2).
package struct PictureID: Hashable, Sendable, BitwiseCopyable {
    package var value: UInt16
    /// Whether it has 15 bits.
    package var isLong: Bool

    /// 15 bits of `value`.
    package init(_ value: UInt16) {
        self.value = value & 0x7FFF
        isLong = true
    }

    /// 7 bits of `value`.
    package init(short value: UInt8) {
        self.value = UInt16(value & 0x7F)
        isLong = false
    }

    /// The signed distance from `other` to `self`, positive when `self` is newer.
    package func distance(from other: PictureID) -> Int {
        let half = isLong ? 0x4000 : 0x40
        let step = (Int(value) - Int(other.value)) & (2 * half - 1)
        return step < half ? step : step - 2 * half
    }

    package static func + (left: PictureID, right: Int) -> PictureID {
        let sum = Int(left.value) + right
        return left.isLong
            ? PictureID(UInt16(truncatingIfNeeded: sum)) : PictureID(short: UInt8(truncatingIfNeeded: sum))
    }
}
