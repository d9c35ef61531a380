/// A range of UDP ports as a setting has it: `LO-HI`.
struct PortRange: Hashable {
    var ports: ClosedRange<UInt16>

    /// `nil` where the text is no such range.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let low = UInt16(parts[0]), let high = UInt16(parts[1]), low > 0, low <= high else {
            return nil
        }
        ports = low...high
    }
}
