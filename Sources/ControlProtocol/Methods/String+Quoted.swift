extension String {
    /// The text in quotation marks for a message of one line: without control characters, and cut when it is long.
    package var quoted: String {
        let shown = unicodeScalars.prefix(80).map { $0.properties.generalCategory == .control ? " " : $0 }
        let mark = unicodeScalars.count > shown.count ? "…" : ""
        return "“\(String(String.UnicodeScalarView(shown)))\(mark)”"
    }
}
