import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling

/// Hosting, joining and waiting.
extension CallController {
    /// `call.join`. To a room that was left open here its host comes back.
    func join(_ arguments: Arguments, reply: @escaping Reply) throws(RPCError) {
        let what = arguments.string("what") ?? ""
        let own = roomsLeftOpen.first {
            what == "\($0)@\(Core.hostName)" || what == $0 && history.newest(what, isAt: Core.hostName)
        }
        if let own { return try hostRoom(try roomName(own), arguments, at: nil, reply: reply) }
        let link = try link(what)
        if let call = calls.values.first(where: { $0.links.contains { $0.isSameRoom(as: link) } }) {
            throw .failed("you are in \(call.room) already")
        }
        var plan = CallPlan(room: link.room.text, host: link.host, isLocal: link.isLoopback)
        try fill(&plan, arguments)
        try chooseDevices(arguments)
        let call = makeCall(plan)
        call.links = [link]
        call.client = RoomClient(
            link: link, name: call.settings.name, identity: identity.secret,
            capabilities: RoomCall.capabilities, rings: try rings(), onEvent: { [weak call] in call?.took($0) })
        begin(call, .start) { [weak self, audio] result in
            if case .success = result { self?.remember(call, link: link.text) }
            reply(
                result.answer([
                    "call": .string(call.id), "room": .string(call.room),
                    "knocking": .bool(call.lifecycle.phase == .knocking), "muted": .bool(audio.microphone.isMuted),
                ]))
        }
    }

    /// `room.host`. A public address that is a name has to lead somewhere.
    func hostRoom(_ arguments: Arguments, reply: @escaping Reply) throws(RPCError) {
        let address = try publicAddress(arguments)
        let name = try roomName(arguments.string("room"))
        guard let address, address.isName else { return try hostRoom(name, arguments, at: address, reply: reply) }
        Task { @EngineActor in
            guard await address.isKnown() else {
                return reply(
                    .failure(
                        .failed(
                            "the public address \(address.text.quoted) leads nowhere: no address is known for it; "
                                + "give another name, or the address in numbers")))
            }
            do throws(RPCError) {
                try hostRoom(name, arguments, at: address, reply: reply)
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func hostRoom(
        _ name: RoomName, _ arguments: Arguments, at address: PublicAddress?, reply: @escaping Reply
    ) throws(RPCError) {
        guard !calls.values.contains(where: { $0.room == name.text && $0.isServedHere }) else {
            throw .failed("you host \(name.text) already")
        }
        var plan = CallPlan(room: name.text, host: Core.hostName, isServedHere: true)
        plan.publicAddress = address?.text
        try fill(&plan, arguments)
        try chooseDevices(arguments)
        // A host who left and let the room stay open comes back as its host.
        var opened: RoomHost.Opened
        if let former = host.room(name.text) {
            opened = former
            opened.note = "The room was still open: it keeps its address, its seats and its links."
        } else {
            opened = try open(name, at: address, arguments)
        }
        plan.isLocal = opened.links.allSatisfy(\.isLoopback)
        let call = makeCall(plan)
        call.links = opened.links
        call.client = opened.server.makeLocalClient(
            room: name, name: call.settings.name, identity: identity.secret,
            capabilities: RoomCall.capabilities, rings: try rings(), onEvent: { [weak call] in call?.took($0) })
        var answer: [String: JSONValue] = [
            "call": .string(call.id), "room": .string(name.text),
            "links": .array(opened.links.map { .string($0.text) }),
        ]
        answer["note"] = opened.note.map { .string($0) }
        begin(call, .start) { [weak self, audio, answer] result in
            if case .success = result { self?.remember(call, link: call.links.first?.text) }
            reply(result.answer(answer.merging(["muted": .bool(audio.microphone.isMuted)]) { $1 }))
        }
    }

    /// The rooms that are open here and that this core has left.
    var roomsLeftOpen: [String] {
        host.openNames.filter { name in !calls.values.contains { $0.isServedHere && $0.room == name } }
    }

    /// `room.close`.
    func closeRoom(_ arguments: Arguments, reply: @escaping Reply) throws(RPCError) {
        let name = arguments.string("room")
        if arguments.string("call") == nil, let room = try roomLeftOpen(name) {
            host.close(room, keepsRoom: false)
            onChange?()
            return reply(.success(.object(["room": .string(room)])))
        }
        let served = name.flatMap { name in calls.values.first { $0.isServedHere && $0.room == name } }
        let call = if let served { served } else { try self.call(arguments.string("call")) }
        guard call.role == .host else { throw .failed("only a host closes \(call.room); hoot leave leaves it") }
        call.closesRoom = true
        call.request(.end()) { reply($0.answer([:])) }
    }

    /// The room left open that is to be closed: the one named, or without a call the only one; `nil`: a call's.
    private func roomLeftOpen(_ name: String?) throws(RPCError) -> String? {
        let left = roomsLeftOpen
        if let name {
            if left.contains(name) { return name }
            guard host.room(name) == nil else { return nil }
            throw .failed("no room \(name.quoted) is open here; hoot status lists them")
        }
        guard calls.isEmpty, left.count > 1 else { return calls.isEmpty ? left.first : nil }
        throw .failed(
            "\(left.joined(separator: ", ")) are open here; hoot ctl room.close room=NAME closes one of them")
    }

    /// Puts the room of a call among those to go back to.
    func remember(_ call: RoomCall, link: String?) {
        let now = Int(Date().timeIntervalSince1970 * 1000)
        history.remember(.init(name: call.room, host: call.host, link: link, lastJoinedAt: now))
    }

    /// `room.wait`.
    func waitInRoom(_ arguments: Arguments) throws(RPCError) -> JSONValue {
        let link = try link(arguments.string("room") ?? "")
        let room = link.room.text
        if arguments.bool("on") == false {
            guard let waiting = waiting.removeValue(forKey: room) else { throw .failed("not waiting in \(room)") }
            waiting.stop()
            onChange?()
            return .object(["room": .string(room)])
        }
        guard waiting[room] == nil else { throw .failed("waiting in \(room) already") }
        let name = try personName(arguments)
        let place = WaitingRoom(link: link, name: name, identity: identity.secret, rings: try rings())
        place.onRing = { [weak self] caller, place in self?.rings(caller, place) }
        place.onChange = { [weak self] in self?.onChange?() }
        place.onClosed = { [weak self] reason in
            self?.waiting[room] = nil
            self?.event(.warning, nil, text: "no longer waiting in \(room): \(reason)")
            self?.onChange?()
        }
        waiting[room] = place
        place.start()
        onChange?()
        return .object(["room": .string(room), "name": .string(name)])
    }

    private func rings(_ caller: String, _ place: WaitingRoom) -> RoomCall? {
        var plan = CallPlan(room: place.link.room.text, host: place.link.host, caller: caller)
        plan.name = place.name
        plan.isLocal = place.link.isLoopback
        let call = makeCall(plan)
        call.links = [place.link]
        event(.callRinging, call, text: "\(caller) rings from \(call.room)")
        audio.ring()
        onChange?()
        return call
    }

    /// The one of `arguments`, else that of the settings.
    private func publicAddress(_ arguments: Arguments) throws(RPCError) -> PublicAddress? {
        let text = arguments.string("publicAddress") ?? settings.string("network.public-address")
        guard !text.isEmpty else { return nil }
        guard let address = PublicAddress(text) else {
            throw .invalidParams(
                "parameter “publicAddress”: expected \(SettingForm.publicAddress.expectation), got \(text.quoted)")
        }
        return address
    }

    private func open(_ name: RoomName, at address: PublicAddress?, _ arguments: Arguments) throws(RPCError)
        -> RoomHost.Opened
    {
        let listen = try ListenAddress(arguments.string("listen") ?? settings.string("network.listen"))
        let certificate = arguments.string("certificate") ?? settings.string("network.certificate")
        let key = arguments.string("key") ?? settings.string("network.key")
        let publicURL = arguments.string("publicUrl") ?? settings.string("network.public-url")
        let origin = PublicOrigin(publicURL)
        guard publicURL.isEmpty || origin != nil else {
            throw .invalidParams(
                "parameter “publicUrl”: expected \(SettingForm.publicURL.expectation), got \(publicURL.quoted)")
        }
        guard certificate.isEmpty == key.isEmpty else {
            throw .invalidParams("certificate and key go together; one of them is missing")
        }
        do {
            var plan = RoomHost.Plan(name: name, address: listen.address, port: listen.port)
            if !certificate.isEmpty { plan.certificate = CertificateFiles(certificate: certificate, key: key) }
            plan.publicAddress = address?.text
            plan.publicOrigin = origin
            plan.seats = settings.integer("network.people")
            plan.hasLobby = arguments.bool("lobby") ?? settings.bool("room.lobby")
            plan.answerTime = .seconds(settings.integer("call.answer-interval"))
            plan.iceServers = { [settings] member in
                EngineActor.assumeIsolated { ICEServers(settings).shared(with: member.rawValue) }
            }
            return try host.open(plan)
        } catch {
            throw .failed("\(error)")
        }
    }

    private func link(_ what: String) throws(RPCError) -> RoomLink {
        let text = what.contains("://") ? what : history.link(named: what)
        guard let text else {
            throw .failed("no saved room \(what.quoted); give a link (https://…) or one of hoot's recent rooms")
        }
        do {
            return try RoomLink(text)
        } catch {
            throw .failed("\(error)")
        }
    }

    private func roomName(_ text: String?) throws(RPCError) -> RoomName {
        do {
            return try RoomName(text ?? "\(identity.loginName)-\(Core.hostName)")
        } catch {
            throw .invalidParams("parameter “room”: \(error)")
        }
    }

    private func personName(_ arguments: Arguments) throws(RPCError) -> String {
        let name = arguments.string("name") ?? personName
        do {
            try NameError.check(name)
        } catch {
            throw .invalidParams("parameter “name”: \(error)")
        }
        return name
    }

    private func fill(_ plan: inout CallPlan, _ arguments: Arguments) throws(RPCError) {
        plan.name = try personName(arguments)
        plan.isMuted = arguments.bool("muted")
    }

    private func chooseDevices(_ arguments: Arguments) throws(RPCError) {
        let (input, output) = (arguments.string("input"), arguments.string("output"))
        if input != nil || output != nil { try audio.select(input: input, output: output) }
    }

    private func rings() throws(RPCError) -> RingSettings {
        do {
            return try RingSettings(
                answerSeconds: settings.integer("call.answer-interval"),
                dialingSeconds: settings.integer("call.dialing-interval"))
        } catch {
            throw .failed("\(error)")
        }
    }

    /// `participant.verify`.
    func verify(_ member: RoomMember, in call: RoomCall, isVerified: Bool) throws(RPCError) {
        guard let (_, fingerprint) = call.authenticated[member.id] else {
            throw .failed("\(member.shownName)'s authentication string is not known yet")
        }
        do throws(UserFacingError) {
            try people.setVerified(isVerified, VerifiedPerson(name: member.name, fingerprint: fingerprint))
        } catch {
            throw .failed(error.description)
        }
        event(
            .verification, call, participant: member.id.rawValue,
            text: isVerified ? "\(member.shownName) is verified" : "\(member.shownName) is no longer marked as verified"
        )
    }
}
