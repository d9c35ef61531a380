import ControlProtocol
import Foundation
import Glibc
import Primitives
import Reactor
import Signaling

/// What answers the socket's methods.
extension Core {
    func addMethods() {
        addCoreMethods()
        addCallMethods()
        addRecordingMethods()
        addRoomMethods()
        addChatMethods()
        addInviteMethods()
        addAudioMethods()
        addVideoMethods()
        addPeopleMethods()
        addTypingMethod()
        addViewMethods()
        addReportMethods()
    }

    private func addCoreMethods() {
        server.handle("core.hello") { arguments, session, reply in
            session.isFrozenOnly = arguments.integer("protocol") != ProtocolVersion.current
            reply(
                .success(
                    .object([
                        "protocol": .integer(ProtocolVersion.current), "version": .string(CoreVersion.current),
                        "pid": .integer(Int(getpid())), "host": .string(Self.hostName),
                    ])))
        }
        server.handle("core.state") { [publisher] _ in
            publisher.publish()
            return publisher.whole
        }
        server.handle("core.subscribe") { [weak self] arguments, session, reply in
            self?.subscribe(session, arguments)
            reply(.success(.object([:])))
        }
        server.handle("core.detach") { _, session, reply in
            session.isLeaving = true
            reply(.success(.object([:])))
        }
        server.handle("core.shutdown") { [weak self] _, _, reply in
            reply(.success(.object([:])))
            self?.stop()
        }
    }

    private func subscribe(_ session: ConsoleSession, _ arguments: Arguments) {
        var subscription = ConsoleSession.Subscription()
        subscription.isConsole = arguments.bool("console") ?? false
        subscription.wantsLevels = arguments.bool("levels") ?? true
        subscription.wantsStatistics = arguments.bool("statistics") ?? true
        let wasConsole = session.subscription?.isConsole ?? false
        // What is pending goes to the others: whoever is new begins with the whole.
        publisher.publish()
        session.subscription = subscription
        session.send(server.wholeState)
        if let address = arguments.string("pulseServer"), !address.isEmpty { audio.sound.offer(server: address) }
        if let display = arguments.string("display"), !display.isEmpty { video.display = display }
        if subscription.isConsole || wasConsole {
            calls.consolesChanged(count: server.consoleCount, leftOnPurpose: true)
        }
    }

    private func addReportMethods() {
        server.handle("stats.get") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            var result: [String: JSONValue] = [:]
            for peer in try peers(arguments) {
                let value = try? JSONValue(encoding: statistics.w3c(of: peer, playout: statistics.playout(of: peer)))
                result[peer.member.id.rawValue] = value
            }
            return .object(["participants": .object(result)])
        }
        server.handle("stats.text") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            let texts = try peers(arguments).map { ($0.member.name, self.statistics.text(of: $0)) }
            return .object(["text": .string(texts.map { "\($0)\n\($1)" }.joined(separator: "\n\n"))])
        }
        server.handle("stats.history") { [calls] arguments in
            let (call, who) = (arguments.string("call"), arguments.string("participant"))
            let (samples, next) = calls.evidence.log.page(since: arguments.integer("since") ?? 0) { sample in
                (call == nil || sample.call == call)
                    && (who == nil || sample.participant == who || sample.name == who || sample.note != nil)
            }
            var result = ["samples": (try? JSONValue(encoding: samples)) ?? .array([])]
            if let next { result["next"] = .integer(next) }
            return .object(result)
        }
        server.handle("call.note") { [calls] arguments throws(RPCError) in
            let call = try calls.call(arguments.string("call"))
            let text = arguments.string("text") ?? ""
            guard !text.allSatisfy(\.isWhitespace) else { throw .invalidParams("parameter “text”: it is empty") }
            calls.evidence.note(text, in: call)
            calls.event(.note, call, text: "noted: \(text)")
            return .object([:])
        }
        server.handle("settings.list") { [settings] _ in
            .object(["settings": (try? JSONValue(encoding: settings.states)) ?? .array([])])
        }
        server.handle("settings.get") { [settings] arguments throws(RPCError) in
            guard let name = arguments.string("name") else { return .object(settings.all) }
            guard let value = settings.shown(name) else { throw settings.unknown(name) }
            return value
        }
        server.handle("settings.set") { [settings] arguments throws(RPCError) in
            let name = arguments.string("name") ?? ""
            try settings.set(name, to: arguments.value("value") ?? .null)
            return settings.shown(name) ?? .null
        }
    }

    /// The connections to the participant that `arguments` name, or to everybody in the call.
    private func peers(_ arguments: Arguments) throws(RPCError) -> [PeerSession] {
        let call = try calls.call(arguments.string("call"))
        guard let who = arguments.string("participant") else {
            return call.members.compactMap { call.peers[$0.id] }
        }
        let member = try call.member(named: who)
        guard let peer = call.peers[member.id] else { throw .failed("there is no connection to \(member.shownName)") }
        return [peer]
    }
}
