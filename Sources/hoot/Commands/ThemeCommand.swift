import Console
import Primitives

/// `hoot theme`.
enum ThemeCommand {
    static let command = Command(
        name: "theme", operands: "list | check FILE",
        summary: "the console's themes; what is wrong with a theme's file",
        details: "A check fails where something is passed over; what is hard to read is only told.",
        operandCount: 1...2,
        run: { invocation in
            switch (invocation.operands[0], invocation.operands.dropFirst().first) {
            case ("list", nil):
                ThemeReport.list(.current()).forEach(Output.line)
                return 0
            case ("check", let path?): return try check(path)
            case ("check", nil): throw UsageError("FILE is missing")
            default: throw UsageError("list or check FILE, not \(invocation.operands.joined(separator: " "))")
            }
        })

    private static func check(_ path: String) throws -> Int32 {
        let findings = try ThemeReport.check(path: path)
        for finding in findings { Output.line(finding.isFault ? finding.text : "note: \(finding.text)") }
        guard findings.contains(where: \.isFault) else {
            Output.line("\(path): nothing is passed over")
            return 0
        }
        return 1
    }
}
