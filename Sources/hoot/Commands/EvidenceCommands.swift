import ControlProtocol
import Primitives

/// What was measured: `hoot stats`, and `hoot note`, which marks a moment of it.
enum EvidenceCommands {
    static let all = [stats, note]

    private static let stats = Command(
        name: "stats", operands: "[NAME]", summary: "the figures of the call, or of one person in it",
        options: [
            Option("csv", "the last hour as a table, a line a second and person"),
            Option("json", "with the names of the W3C's statistics"),
        ],
        details: "The figures of calls that are over are in the state directory, in calls/.", operandCount: 0...1,
        run: { invocation in
            let session = try Session.attach()
            let who = ["participant": invocation.operands.first.map { JSONValue.string($0) }]
            if invocation.has("csv") {
                try printTable(of: who, session)
            } else if invocation.has("json") {
                Output.line(try session.call("stats.get", who).text)
            } else {
                let text = try session.call("stats.text", who)["text"]?.stringValue ?? ""
                Output.line(text.isEmpty ? "nobody else is in the call" : text)
            }
            return 0
        })

    private static let note = Command(
        name: "note", operands: "TEXT…", summary: "mark this moment in the figures of the call", operandCount: 1...1024,
        run: { invocation in
            let text = invocation.operands.joined(separator: " ")
            try Session.attach().call("call.note", ["text": .string(text)])
            Output.line("noted")
            return 0
        })

    private static func printTable(of who: [String: JSONValue?], _ session: Session) throws {
        Output.line(EvidenceSample.csvHeader)
        var since: Int? = 0
        var isKnown = who["participant"] == .some(nil)
        while let from = since {
            let page = try session.call("stats.history", who.merging(["since": .integer(from)]) { $1 })
            let samples: [EvidenceSample] = try page["samples"]?.decoded() ?? []
            for sample in samples { Output.line(sample.csvLine) }
            isKnown = isKnown || samples.contains { $0.note == nil }
            since = page["next"]?.integerValue
        }
        guard isKnown else {
            throw UserFacingError(
                "no figures", why: "nobody of that name was in a call of the last hour",
                remedy: "hoot stats --csv names who was")
        }
    }
}
