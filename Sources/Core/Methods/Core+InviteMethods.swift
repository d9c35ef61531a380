import ControlProtocol
import Reactor

/// Methods on invites, the lobby and members' time.
extension Core {
    func addInviteMethods() {
        server.handle("room.invite") { [calls] arguments throws(RPCError) in try calls.makeInvite(arguments) }
        server.handle("room.invites") { [calls] arguments throws(RPCError) in try calls.invites(arguments) }
        server.handle("room.revoke") { [calls] arguments throws(RPCError) in try calls.revoke(arguments) }
        server.handle("room.kick") { [calls] arguments throws(RPCError) in try calls.kick(arguments) }
        server.handle("room.admit") { [calls] arguments throws(RPCError) in
            try calls.answerKnock(arguments, isAdmitted: true)
        }
        server.handle("room.decline") { [calls] arguments throws(RPCError) in
            try calls.answerKnock(arguments, isAdmitted: false)
        }
        server.handle("room.renew") { [calls] arguments throws(RPCError) in try calls.renew(arguments) }
    }
}
