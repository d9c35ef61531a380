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
    /// Whether a control is in it.
    package var hasControls: Bool {
        unicodeScalars.contains(where: \.isControl)
    }

    /// The text without controls but for those `kept`, each of the others replaced by `mark` if there is one; cut at a
    /// character to at most `limit` bytes.
    package func cleaned(
        keeping kept: Set<Unicode.Scalar> = [], mark: Unicode.Scalar? = nil, limit: Int = .max
    ) -> String {
        var text = self
        if hasControls {
            let scalars = unicodeScalars.compactMap { !$0.isControl || kept.contains($0) ? $0 : mark }
            text = String(UnicodeScalarView(scalars))
        }
        guard text.utf8.count > limit else { return text }
        var end = text.startIndex
        var count = 0
        for index in text.indices {
            count += text[index].utf8.count
            guard count <= limit else { break }
            end = text.index(after: index)
        }
        return String(text[..<end])
    }

    /// The text as it may go to a terminal: without controls, except line feeds and tabs.
    package var displayable: String {
        cleaned(keeping: ["\n", "\t"])
    }
}
