extension Unicode.Scalar {
    /// Whether it steers a terminal or the direction of writing instead of being shown: C0, C1, delete, the line and
    /// paragraph separators, the directional controls, and the spaces without width.
    package var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x2028...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}

extension String {
    /// The text as it may go to a terminal: without controls, except line feeds and tabs.
    package var displayable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return String(UnicodeScalarView(unicodeScalars.filter { !$0.isControl || $0 == "\n" || $0 == "\t" }))
    }
}
