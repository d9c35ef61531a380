import ControlProtocol

/// `hoot chat`.
enum ChatCommand {
    static let command = Command(
        name: "chat", operands: "TEXT…", summary: "write to everybody in the call",
        options: [Option("to", argument: "NAME[,NAME]", "write to these alone")],
        details: "What others write, `hoot ctl watch` and the console show. Who comes later has not seen it.",
        operandCount: 1...1024,
        run: { invocation in
            let text = invocation.operands.joined(separator: " ")
            let names = invocation.options["to"].map { $0.split(separator: ",").map { JSONValue.string(String($0)) } }
            let session = try Session.attach()
            let result = try session.call("chat.send", ["text": .string(text), "to": names.map { .array($0) }])
            guard case .array(let reached)? = result["reached"], case .object(let unreached)? = result["unreached"]
            else { return 1 }
            let people = try session.people()
            Output.line("sent to " + reached.compactMap(\.stringValue).map { people[$0] ?? $0 }.joined(separator: ", "))
            for (id, reason) in unreached.sorted(by: { $0.key < $1.key }) {
                Output.error("not to \(people[id] ?? id): \(reason.stringValue ?? "")")
            }
            return 0
        })
}

extension Session {
    /// The names of those in the active call, by id.
    fileprivate func people() throws -> [String: String] {
        let state = try state()
        return state.activeCall.flatMap { state.calls[$0] }?.people.mapValues(\.name) ?? [:]
    }
}
