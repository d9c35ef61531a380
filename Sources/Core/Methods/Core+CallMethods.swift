import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling

/// Methods on calls and rooms.
extension Core {
    func addCallMethods() {
        server.handle("call.join") { [weak self] arguments, _, reply in
            self?.answer(reply) { core throws(RPCError) in try core.calls.join(arguments, reply: reply) }
        }
        server.handle("call.answer") { [weak self] arguments, _, reply in
            self?.answer(reply) { core throws(RPCError) in
                let call = try core.calls.ringingCall(arguments.string("call"))
                core.audio.stopRinging()
                core.calls.begin(call, .answer) { [audio = core.audio] result in
                    reply(result.answer(["call": .string(call.id), "muted": .bool(audio.microphone.isMuted)]))
                }
            }
        }
        server.handle("call.reject") { [calls] arguments throws(RPCError) in
            let call = try calls.ringingCall(arguments.string("call"))
            calls.waiting[call.room]?.reject()
            call.execute(call.lifecycle.closed(CallLifecycle.rejected))
            return .object([:])
        }
        server.handle("call.leave") { [weak self] arguments, _, reply in
            self?.answer(reply) { core throws(RPCError) in
                let call = try core.calls.call(arguments.string("call"))
                call.closesRoom = call.isServedHere && arguments.bool("keepRoom") != true
                call.request(.end()) { reply($0.answer([:])) }
            }
        }
        server.handle("call.hold") { [weak self] arguments, _, reply in
            self?.answer(reply) { core throws(RPCError) in
                let call = try core.calls.call(arguments.string("call"))
                let isHeld = arguments.wish("on").applied(to: call.lifecycle.isHeld)
                if !isHeld, core.calls.activeID != call.id { core.calls.activate(call) }
                call.request(.setHeld(isHeld)) { reply($0.answer(["on": .bool(isHeld)])) }
            }
        }
        server.handle("call.activate") { [calls] arguments throws(RPCError) in
            calls.activate(try calls.call(arguments.string("call")))
            return .object([:])
        }
    }

    func addRoomMethods() {
        server.handle("room.host") { [weak self] arguments, _, reply in
            self?.answer(reply) { core throws(RPCError) in try core.calls.hostRoom(arguments, reply: reply) }
        }
        server.handle("room.wait") { [calls] arguments throws(RPCError) in try calls.waitInRoom(arguments) }
        server.handle("room.ring") { [calls] arguments throws(RPCError) in
            let call = try calls.call(arguments.string("call"))
            let names = arguments.strings("names") ?? []
            for name in names {
                do {
                    try NameError.check(name)
                } catch {
                    throw .invalidParams("parameter “names”: \(error)")
                }
            }
            return .object(["ringing": .array(try call.ring(names).map { .string($0) })])
        }
        server.handle("room.close") { [weak self] arguments, _, reply in
            self?.answer(reply) { core throws(RPCError) in
                try core.calls.closeRoom(arguments, reply: reply)
            }
        }
    }

    /// Runs `body`; what it throws is the answer.
    func answer(_ reply: ControlServer.Reply, _ body: (Core) throws(RPCError) -> Void) {
        do throws(RPCError) {
            try body(self)
        } catch {
            reply(.failure(error))
        }
    }
}

extension Result<Void, CallError> {
    /// The outcome of a wish as the answer on the socket.
    func answer(_ fields: [String: JSONValue]) -> Result<JSONValue, RPCError> {
        map { .object(fields) }.mapError(\.rpcError)
    }
}
