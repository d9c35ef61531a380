import ControlProtocol

/// `hoot leave`.
enum LeaveCommand {
    static let command = Command(
        name: "leave", operands: "", summary: "leave the call",
        options: [Option("keep-room", "host: let the others stay")],
        run: { invocation in
            let session = try Session.attach()
            // A core of another version, whose state this one cannot read, lets its calls be left all the same.
            let state = try? session.state()
            let call = state?.activeCall.flatMap { state?.calls[$0] } ?? state?.calls.values.first
            let keepsRoom = invocation.has("keep-room")
            try session.call("call.leave", ["keepRoom": keepsRoom ? .bool(true) : nil])
            let isClosed = call?.isServedHere == true && !keepsRoom
            Output.line("left" + (isClosed ? "; \(call?.room ?? "") is closed for everyone" : ""))
            return 0
        })
}

/// `hoot ring`.
enum RingCommand {
    static let command = Command(
        name: "ring", operands: "NAME…", summary: "ring people who wait in the room of the call", operandCount: 1...64,
        run: { invocation in
            try Session.attach().call("room.ring", ["names": .array(invocation.operands.map { .string($0) })])
            Output.line("ringing " + invocation.operands.joined(separator: ", "))
            return 0
        })
}
