/// A range of UDP ports as a setting has it: `LO-HI`.
struct PortRange: Hashable {
    var ports: ClosedRange<UInt16>

    /// `nil` where the text is no such range.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(UInt16.init(digits:))
        guard parts.count == 2, let low = parts[0], let high = parts[1], low > 0, low <= high else { return nil }
        ports = low...high
    }
}

extension UInt16 {
    /// Reads decimal digits and nothing else: no sign.
    init?(digits text: Substring) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.init(text)
    }
}
