import ControlProtocol

/// `hoot wait`.
enum WaitCommand {
    static let command = Command(
        name: "wait", operands: "ROOM", summary: "be reachable in a room without joining it",
        options: [
            Option("name", argument: "NAME", "the name that others ring"),
            Option("stop", "stop waiting"),
        ],
        operandCount: 1...1,
        run: { invocation in
            let result = try Session.attachOrStart().call(
                "room.wait",
                [
                    "room": .string(try JoinOptions.address(invocation.operands[0])),
                    "name": invocation.options["name"].map { .string($0) },
                    "on": .bool(!invocation.has("stop")),
                ], within: .seconds(60))
            let room = result["room"]?.stringValue ?? "the room"
            Output.line(
                invocation.has("stop")
                    ? "no longer waiting in \(room)"
                    : "waiting in \(room) as \(result["name"]?.stringValue ?? "?")")
            return 0
        })
}
