import ControlProtocol

/// One typed line: a verb, or a method with its parameters.
enum LineVerb: Hashable {
    case nothing
    case quit
    case help(String?)
    case status
    /// How much is told; `nil`: say how much it is.
    case detail(LineDetail?)
    case request(String, [String: JSONValue])
    /// The method is there, but not so.
    case misused(String)
    case unknown(String)

    /// The verbs that are no request to the core.
    static let own = [
        ("status", "say how the microphone and the call stand"),
        ("detail", "how much is told: \(LineDetail.names)"), ("help", "list the verbs, or explain one"),
        ("quit", "end this console"),
    ]

    /// What can be typed, as lines of text.
    static let text = """
        \(Verb.all.map { "\($0.name) \($0.operand.rawValue)".trimmed }.joined(separator: ", "))
        status, detail [\(LineDetail.names)], help [VERB], quit; or any method: METHOD KEY=VALUE
        """

    /// What `word` does; `nil`: there is no such verb or method.
    static func summary(of word: String) -> String? {
        if let verb = Verb.named(word) { return "\(word) \(verb.operand.rawValue)".trimmed + ": " + verb.summary }
        if let own = own.first(where: { $0.0 == word }) { return "\(own.0): \(own.1)" }
        return Method.named(word).map { method in
            let parameters = method.parameters.map { $0.isRequired ? "\($0.name)=" : "[\($0.name)=]" }
            return ([method.name] + parameters).joined(separator: " ") + ": " + method.summary
        }
    }

    init(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let verb = words.first else {
            self = .nothing
            return
        }
        let rest = words.count > 1 ? words[1].trimmed : ""
        switch verb {
        case "quit", "exit", "q": self = .quit
        case "help", "?": self = .help(rest.isEmpty ? nil : rest)
        case "status": self = .status
        case "detail" where rest.isEmpty: self = .detail(nil)
        case "detail":
            let detail = LineDetail(rawValue: rest)
            self = detail.map { .detail($0) } ?? .misused("detail takes \(LineDetail.names), not \(rest.quoted)")
        default: self = Verb.named(verb)?.request(rest) ?? Self.method(verb, rest) ?? .unknown(verb)
        }
    }

    private static func method(_ name: String, _ rest: String) -> LineVerb? {
        guard let method = Method.named(name) else { return nil }
        do throws(RPCError) {
            return .request(name, try method.parameters(in: rest.split(separator: " ").map(String.init)))
        } catch {
            return .misused(error.message)
        }
    }
}
