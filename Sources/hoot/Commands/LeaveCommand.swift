import ControlProtocol

/// `hoot leave`.
enum LeaveCommand {
    static let command = Command(
        name: "leave", operands: "", summary: "leave the call; a room that is hosted here stays open",
        options: [Option("close", "host: close the room for everyone, also after it was left")],
        run: { invocation in
            let session = try Session.attach()
            // A core of another version, whose state this one cannot read, lets its calls be left all the same.
            let state = try? session.state()
            let call = state?.activeCall.flatMap { state?.calls[$0] } ?? state?.calls.values.first
            let closes = invocation.has("close")
            if closes, state?.calls.isEmpty == true, state?.leftOpen != nil {
                let room = try session.call("room.close")["room"]?.stringValue ?? "the room"
                Output.line("\(room) is closed for everyone")
                return 0
            }
            try session.call("call.leave", ["keepRoom": .bool(!closes)])
            let room = call?.isServedHere == true ? call?.room : nil
            Output.line("left" + (room.map { closes ? "; \($0) is closed for everyone" : "; \($0) stays open" } ?? ""))
            return 0
        })
}

/// `hoot answer` and `hoot reject`.
enum AnswerCommands {
    static let all = [
        make("answer", "answer the call that rings", done: "answered"),
        make("reject", "reject the call that rings", done: "rejected"),
    ]

    private static func make(_ name: String, _ summary: String, done: String) -> Command {
        Command(
            name: name, operands: "", summary: summary,
            run: { invocation in
                let result = try Session.attach().call("call.\(name)", within: .seconds(30))
                Output.line(done)
                JoinOptions.tellMuted(result, invocation)
                return 0
            })
    }
}

/// `hoot ring`.
enum RingCommand {
    static let command = Command(
        name: "ring", operands: "NAME…", summary: "ring people who wait in the room of the call", operandCount: 1...64,
        run: { invocation in
            let names = JSONValue.array(invocation.operands.map { .string($0) })
            let result = try Session.attach().call("room.ring", ["names": names])
            let rung = try result["ringing"]?.decoded(as: [String].self) ?? []
            Output.line("ringing " + rung.joined(separator: ", "))
            return 0
        })
}
