import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling

/// Invites, the lobby and members' time: `room.invite` to `room.renew`.
extension CallController {
    func makeInvite(_ arguments: Arguments) throws(RPCError) -> JSONValue {
        let opened = try servedRoom(arguments)
        let role = arguments.string("role").flatMap { RoomRole(word: $0) } ?? .guest
        let expiry = arguments.integer("expires").map { UInt64(InviteStore.now) + UInt64($0) }
        let made = try refusing {
            try opened.server.makeInvite(
                role, isSingleUse: arguments.integer("uses") == 1, expiry: expiry, to: opened.name)
        }
        guard let (invite, token) = made else { throw .failed("\(opened.name) is closing") }
        var answer = describe(invite, in: opened)
        answer["links"] = .array(opened.links.map { .string($0.opened(by: token).text) })
        return .object(answer)
    }

    func invites(_ arguments: Arguments) throws(RPCError) -> JSONValue {
        let opened = try servedRoom(arguments)
        let now = InviteStore.now
        let invites = opened.server.invites(of: opened.name)?.record.invites ?? []
        return .object([
            "invites": .array(invites.filter { !$0.hasExpired(at: now) }.map { .object(describe($0, in: opened)) })
        ])
    }

    func revoke(_ arguments: Arguments) throws(RPCError) -> JSONValue {
        let opened = try servedRoom(arguments)
        let number = arguments.integer("invite") ?? 0
        guard opened.server.revoke(number, removing: arguments.bool("remove") ?? false, in: opened.name) else {
            throw .failed("\(opened.name) has no invite \(number); hoot invite --list shows those that are good")
        }
        refreshLinks(of: opened.name.text)
        return .object(["invite": .integer(number)])
    }

    /// `room.admit`, `room.decline`.
    func answerKnock(_ arguments: Arguments, isAdmitted: Bool) throws(RPCError) -> JSONValue {
        let call = try hostedCall(arguments)
        let knock = try call.knock(named: arguments.string("participant") ?? "")
        let id = MemberID(knock.id)
        try say(isAdmitted ? .admit(id) : .decline(id, reason: arguments.string("reason")), in: call)
        return .object(["participant": .string(knock.id), "name": .string(knock.name)])
    }

    func kick(_ arguments: Arguments) throws(RPCError) -> JSONValue {
        let call = try hostedCall(arguments)
        let member = try call.member(named: arguments.string("participant") ?? "")
        try say(.kick(member.id, reason: arguments.string("reason")), in: call)
        return .object(["participant": .string(member.id.rawValue), "name": .string(member.name)])
    }

    func renew(_ arguments: Arguments) throws(RPCError) -> JSONValue {
        if let who = arguments.string("participant") {
            let call = try hostedCall(arguments)
            let member = try call.member(named: who)
            try say(.extend(member.id, seconds: arguments.integer("expires").map(Double.init)), in: call)
            call.wantTime.remove(member.id)
            onChange?()
            return .object(["participant": .string(member.id.rawValue), "name": .string(member.name)])
        }
        let call = try call(arguments.string("call"))
        var token: RoomToken?
        if let text = arguments.string("link") {
            let link = try refusing { try RoomLink(text) }
            guard link.room.text == call.room else { throw .failed("the link is to another room, \(link.room)") }
            token = link.token
        }
        guard token != nil || call.expiresAt != nil else { throw .failed("your time in \(call.room) has no end") }
        guard call.client?.renew(token) == true else { throw Self.unreachable(call) }
        return .object(["room": .string(call.room)])
    }

    /// Brings the links that a hosted call shows up to date.
    func refreshLinks(of room: String) {
        let links = host.refreshLinks(of: room)
        for call in calls.values where call.isServedHere && call.room == room && call.links != links {
            call.links = links
            remember(call, link: links.first?.text)
        }
        onChange?()
    }

    private func say(_ decision: HostMessage, in call: RoomCall) throws(RPCError) {
        try refusing { try decision.check() }
        guard call.client?.decide(decision) == true else { throw Self.unreachable(call) }
    }

    /// Runs `body`; what it throws becomes the answer.
    private func refusing<Value>(_ body: () throws -> Value) throws(RPCError) -> Value {
        do {
            return try body()
        } catch {
            throw .failed("\(error)")
        }
    }

    /// The call, where we are a host.
    private func hostedCall(_ arguments: Arguments) throws(RPCError) -> RoomCall {
        let call = try call(arguments.string("call"))
        guard call.role == .host else { throw .failed("only a host of \(call.room) may do that") }
        return call
    }

    /// The room of the call, where this core serves it; without a call the only room that is open here.
    private func servedRoom(_ arguments: Arguments) throws(RPCError) -> RoomHost.Opened {
        if arguments.string("call") == nil, calls.isEmpty, let opened = host.onlyRoom { return opened }
        let call = try call(arguments.string("call"))
        guard call.isServedHere, let opened = host.room(call.room) else {
            throw .failed("\(call.room) is not hosted here; its host gives out links")
        }
        return opened
    }

    private func describe(_ invite: Invite, in opened: RoomHost.Opened) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "invite": .integer(invite.number), "role": .string(invite.role.word),
            "uses": .integer(invite.isSingleUse ? 1 : 0),
            "isRoomLink": .bool(opened.server.invites(of: opened.name)?.record.ownLink == invite.number),
        ]
        fields["expiresAt"] = invite.expiry.map { .integer(Int(clamping: $0) &* 1000) }
        fields["usedBy"] = invite.userName.map { .string($0) }
        return fields
    }

    private static func unreachable(_ call: RoomCall) -> RPCError {
        .failed("the server of \(call.room) is out of reach now; try again when it is back")
    }
}
