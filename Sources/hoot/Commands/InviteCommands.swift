import ControlProtocol

/// `hoot invite` and `hoot revoke`.
enum InviteCommands {
    static let all = [invite, revoke]

    private static let invite = Command(
        name: "invite", operands: "", summary: "give out an invite to the room that is hosted here",
        options: [
            Option("role", argument: "ROLE", "guest, host, or listener (hears, cannot be heard)"),
            Option("once", "for one person only"),
            Option("expires", argument: "TIME", "when it is void: 90s, 30m, 2h, 7d from now"),
            Option("list", "list the invites that are good, without their secrets"),
        ],
        run: { invocation in
            if invocation.has("list") {
                guard invocation.options.count == 1 else { throw UsageError("--list stands alone") }
                return try list()
            }
            let role = invocation.options["role"]
            if let role, !["guest", "host", "listener"].contains(role) {
                throw UsageError("guest, host or listener, not \(role.quoted)")
            }
            let expires = try invocation.options["expires"].map { try Lifetime.seconds($0) }
            let result = try Session.attach().call(
                "room.invite",
                [
                    "role": role.map { .string($0) }, "uses": invocation.has("once") ? .integer(1) : nil,
                    "expires": expires.map { .integer($0) },
                ])
            for link in result["links"].flatMap({ try? $0.decoded(as: [String].self) }) ?? [] { Output.line(link) }
            let number = result["invite"]?.integerValue ?? 0
            Output.write("invite \(number); hoot revoke \(number) withdraws it\n", to: 2)
            return 0
        })

    private static func list() throws -> Int32 {
        let result = try Session.attach().call("room.invites")
        let invites = try result["invites"]?.decoded(as: [Entry].self) ?? []
        for invite in invites { Output.line(invite.line(at: Lifetime.now)) }
        return 0
    }

    private struct Entry: Decodable {
        var invite: Int
        var role: String
        var uses: Int
        var isRoomLink: Bool
        var expiresAt: Int?
        var usedBy: String?

        /// `3  listener  for one person, used by ann, 2 h left`.
        func line(at now: Int) -> String {
            var words = [isRoomLink ? "the room's link" : uses == 1 ? "for one person" : "for anybody"]
            if let usedBy { words.append("used by \(usedBy)") }
            if let expiresAt { words.append(Lifetime.words(seconds: (expiresAt - now) / 1000) + " left") }
            return "\(invite)\t\(role)\t" + words.joined(separator: ", ")
        }
    }

    private static let revoke = Command(
        name: "revoke", operands: "INVITE", summary: "withdraw an invite by its number",
        options: [Option("remove", "those who came in by it have to go")], operandCount: 1...1,
        run: { invocation in
            guard let number = Int(invocation.operands[0]) else {
                throw UsageError("the number of an invite, not \(invocation.operands[0].quoted)")
            }
            try Session.attach().call(
                "room.revoke",
                ["invite": .integer(number), "remove": invocation.has("remove") ? .bool(true) : nil])
            Output.line("invite \(number) is withdrawn")
            return 0
        })
}
