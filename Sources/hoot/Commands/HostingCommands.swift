import ControlProtocol

/// What a host decides about people: `hoot admit`, `decline`, `kick`; and `hoot renew`, about time.
enum HostingCommands {
    static let all = [
        make("admit", method: "room.admit", "let in somebody who knocks", done: "is let in"),
        make(
            "decline", method: "room.decline", "turn away somebody who knocks", done: "is turned away",
            takesReason: true),
        make(
            "kick", method: "room.kick", "remove a member, who may not come back by the same invite",
            done: "is removed", takesReason: true),
        renew,
    ]

    private static func make(
        _ name: String, method: String, _ summary: String, done: String, takesReason: Bool = false
    ) -> Command {
        Command(
            name: name, operands: "NAME", summary: summary,
            options: takesReason ? [Option("reason", argument: "TEXT", "a word for them")] : [], operandCount: 1...1,
            run: { invocation in
                let result = try Session.attach().call(
                    method,
                    [
                        "participant": .string(invocation.operands[0]),
                        "reason": invocation.options["reason"].map { .string($0) },
                    ])
                Output.line("\(result["name"]?.stringValue ?? invocation.operands[0]) \(done)")
                return 0
            })
    }

    private static let renew = Command(
        name: "renew", operands: "[NAME|LINK|-]",
        summary: "stay longer: ask the hosts, or use a new link; host: let NAME stay longer",
        options: [Option("expires", argument: "TIME", "host: how long from now: 90s, 30m, 2h, 7d; else for ever")],
        details: "- reads the new link from standard input.", operandCount: 0...1,
        run: { invocation in
            let expires = try invocation.options["expires"].map { JSONValue.integer(try Lifetime.seconds($0)) }
            guard let word = invocation.operands.first else {
                guard expires == nil else { throw UsageError("--expires needs the NAME of a member") }
                try Session.attach().call("room.renew")
                Output.line("asked the hosts for more time")
                return 0
            }
            if word == "-" || word.contains("://") {
                guard expires == nil else { throw UsageError("a link says by itself when it expires") }
                try Session.attach().call("room.renew", ["link": .string(try JoinOptions.address(word))])
                Output.line("presented the new link")
                return 0
            }
            let result = try Session.attach().call("room.renew", ["participant": .string(word), "expires": expires])
            Output.line("\(result["name"]?.stringValue ?? word) may stay longer")
            return 0
        })
}
