import ControlProtocol

/// `hoot join`.
enum JoinCommand {
    static let command = Command(
        name: "join", operands: "WHAT", summary: "join a room: a saved name, a link, or - (a link from standard input)",
        options: JoinOptions.options,
        details: "A link carries a secret: give it by - or a saved name where others can read your command line.",
        operandCount: 1...1,
        run: { invocation in
            JoinOptions.tellMuted(
                try join(invocation.operands[0], JoinOptions.parameters(invocation)), invocation)
            return JoinOptions.detaches(invocation) ? 0 : try ConsoleCommand.open(plain: false)
        })

    /// Joins and says so. Returns the core's answer.
    @discardableResult
    static func join(_ word: String, _ parameters: [String: JSONValue?]) throws -> JSONValue {
        var parameters = parameters
        parameters["what"] = .string(try JoinOptions.address(word))
        let result = try Session.attachOrStart().call("call.join", parameters, within: .seconds(60))
        let room = result["room"]?.stringValue ?? "the room"
        let isKnocking = result["knocking"]?.boolValue == true
        Output.line(isKnocking ? "knocking at \(room): its hosts have been asked" : "joined \(room)")
        return result
    }
}
