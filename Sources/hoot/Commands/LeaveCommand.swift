import ControlProtocol

/// `hoot leave`.
enum LeaveCommand {
    static let command = Command(
        name: "leave", operands: "", summary: "leave the call",
        options: [Option("keep-room", "host: let the others stay")],
        run: { invocation in
            try Session.attach().call("call.leave", ["keepRoom": invocation.has("keep-room") ? .bool(true) : nil])
            Output.line("left")
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
