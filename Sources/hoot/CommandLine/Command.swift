/// One command: what it is called, what it takes, what it does.
struct Command {
    let name: String
    /// What stands behind the name in the usage line.
    let operands: String
    let summary: String
    var options: [Option] = []
    /// More lines for the command's own help.
    var details: String = ""
    /// How many operands there may be.
    var operandCount: ClosedRange<Int> = 0...0
    /// Whether everything behind the name is an operand (`hoot ctl METHOD key=-1`).
    var takesWordsAsTheyAre = false
    /// Runs the command; the result is the exit status.
    let run: @Sendable (Invocation) throws -> Int32

    /// The text of `hoot NAME --help`.
    var help: String {
        var lines = ["usage: hoot \(name)" + (operands.isEmpty ? "" : " " + operands), "", capitalized(summary) + "."]
        if !details.isEmpty { lines += ["", details] }
        lines += ["", "options:"] + Help.table((options + [Help.option]).map { ($0.synopsis, $0.summary) })
        return lines.joined(separator: "\n") + "\n"
    }

    private func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
