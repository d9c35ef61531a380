import ControlProtocol
import Primitives
import Reactor
import Signaling

/// Methods on the microphone, the speaker and people.
extension Core {
    func addAudioMethods() {
        server.handle("audio.mute") { [audio, calls] arguments throws(RPCError) in
            let microphone = audio.microphone
            let isMuted = arguments.wish("on").applied(to: microphone.isMuted || microphone.listensOnly)
            if !isMuted, microphone.listensOnly {
                let room = calls.activeCall?.room ?? "this room"
                throw .failed("you only listen in \(room); ask its host for a link by which you may speak")
            }
            audio.setMuted(isMuted)
            return .object(["on": .bool(audio.microphone.isMuted)])
        }
        server.handle("audio.close") { [audio] arguments in
            audio.microphone.isClosed = arguments.wish("on").applied(to: audio.microphone.isClosed)
            audio.applyMicrophone()
            return .object(["on": .bool(audio.microphone.isClosed)])
        }
        server.handle("audio.talk") { [audio] arguments, session, reply in
            reply(
                Result { () throws(RPCError) in
                    let isTalking = try audio.talk(
                        arguments.wish("on"), by: session.talker, seconds: arguments.integer("seconds"))
                    return .object(["on": .bool(isTalking)])
                })
        }
        server.handle("audio.meter") { [server] arguments, session, reply in
            session.showsMeter = arguments.bool("on") ?? false
            server.metersChanged()
            reply(.success(.object(["on": .bool(session.showsMeter)])))
        }
        server.handle("audio.deafen") { [audio] arguments in
            audio.microphone.isDeafened = arguments.wish("on").applied(to: audio.microphone.isDeafened)
            audio.applyMicrophone()
            return .object(["on": .bool(audio.microphone.isDeafened)])
        }
        server.handle("audio.gain") { [settings] arguments throws(RPCError) in
            try settings.set("audio.gain", to: .integer(arguments.integer("percent") ?? 100))
            return .object([:])
        }
        server.handle("audio.volume") { [settings] arguments throws(RPCError) in
            try settings.set("audio.volume", to: .integer(arguments.integer("percent") ?? 100))
            return .object([:])
        }
        server.handle("audio.devices") { [audio] _ in audio.sound.inventory }
        server.handle("audio.select") { [audio] arguments throws(RPCError) in
            let (input, output) = (arguments.string("input"), arguments.string("output"))
            guard input != nil || output != nil else {
                throw .invalidParams("parameter “input” or “output” is missing")
            }
            try audio.select(input: input, output: output)
            return .object([:])
        }
        server.handle("audio.route") { [audio] arguments throws(RPCError) in
            let route = try audio.sound.setRoute(arguments.string("route").flatMap { Route.Kind(rawValue: $0) })
            return .object(["route": .string(route.rawValue)])
        }
    }

    func addPeopleMethods() {
        server.handle("participant.silence") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            let id = try participant(arguments)
            let isSilenced = arguments.wish("on").applied(to: audio.silence.isSilenced(id))
            do throws(CallError) {
                try audio.setSilenced(isSilenced, id)
            } catch {
                throw error.rpcError
            }
            refresh()
            return .object(["on": .bool(isSilenced)])
        }
        server.handle("participant.volume") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            audio.setVolume(percent: arguments.integer("percent") ?? 100, of: try participant(arguments))
            refresh()
            return .object([:])
        }
        server.handle("participant.verify") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            let call = try calls.call(arguments.string("call"))
            let member = try call.member(named: arguments.string("participant") ?? "")
            try calls.verify(member, in: call, isVerified: arguments.bool("verified") ?? true)
            refresh()
            return .object([:])
        }
        server.handle("participants.silence") { [weak self] arguments in
            guard let self else { return .null }
            if let joiners = arguments.bool("joiners") { audio.silence.silencesJoiners = joiners }
            if arguments.value("on") != nil || arguments.bool("joiners") == nil {
                audio.setEveryoneSilenced(arguments.wish("on").applied(to: audio.silence.silencesEveryone))
            }
            refresh()
            return .object([
                "on": .bool(audio.silence.silencesEveryone), "joiners": .bool(audio.silence.silencesJoiners),
            ])
        }
    }

    func participant(_ arguments: Arguments) throws(RPCError) -> String {
        let call = try calls.call(arguments.string("call"))
        return try call.member(named: arguments.string("participant") ?? "").id.rawValue
    }
}
