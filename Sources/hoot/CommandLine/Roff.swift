/// Text in the man macros of troff, man(7).
struct Roff {
    private(set) var text = ""

    /// A request or macro, its arguments quoted.
    mutating func macro(_ name: String, _ arguments: String...) {
        text +=
            ([".\(name)"] + arguments.map { "\"\(Self.escaped($0).replacing("\"", with: "\\(dq"))\"" })
            .joined(separator: " ") + "\n"
    }

    /// A paragraph's text; a part in backquotes is bold.
    mutating func line(_ line: String) {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        let shown = parts.map { $0.offset % 2 == 1 ? "\\fB\(Self.escaped($0.element))\\fR" : Self.escaped($0.element) }
        let whole = shown.joined()
        text += (whole.hasPrefix(".") || whole.hasPrefix("'") ? "\\&" : "") + whole + "\n"
    }

    /// An entry of a list: what it is called, in bold, and what it means.
    mutating func entry(_ name: String, _ meaning: String) {
        text += ".TP\n"
        line("`\(name)`")
        line(meaning)
    }

    /// Lines that are kept as they are.
    mutating func block(_ lines: [Substring]) {
        text += ".PP\n.nf\n"
        for line in lines { self.line(String(line)) }
        text += ".fi\n"
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
            .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha")
    }
}
