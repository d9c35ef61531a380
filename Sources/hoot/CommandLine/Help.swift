/// The texts of `--help`, drawn from the tables that also parse.
enum Help {
    static let option = Option("help", short: "h", "show this")

    /// Two columns, the left one as wide as its widest entry (at most 34).
    static func table(_ rows: [(String, String)]) -> [String] {
        let width = min(rows.map(\.0.count).max() ?? 0, 34)
        return rows.map { left, right in
            let gap = String(repeating: " ", count: max(width - left.count, 0))
            return left.count > width
                ? "  \(left)\n  \(String(repeating: " ", count: width))  \(right)" : "  \(left)\(gap)  \(right)"
        }
    }

    /// The text of `hoot --help`.
    static func overview(_ commands: [Command], options: [Option]) -> String {
        let rows = commands.map { ("\($0.name) \($0.operands)".trimmingSpaces, $0.summary) }
        let lines =
            [
                "usage: hoot [OPTION]… [ADDRESS]", "       hoot COMMAND [ARGUMENT]…", "",
                "A call console for the terminal. Without a command it opens the console, starting the core if none runs;",
                "with an ADDRESS (a link, a saved room) it also joins.", "", "commands:",
            ] + table(rows) + ["", "options:"] + table(options.map { ($0.synopsis, $0.summary) })
            + ["", "`hoot COMMAND --help` says more about one."]
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = Substring(self)
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
