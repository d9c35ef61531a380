import ControlProtocol
import Foundation
import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling
import Transport

/// All calls: which one is active, what is wished of them, what becomes of it.
@EngineActor
final class CallController {
    typealias Reply = ControlServer.Reply

    let settings: Settings
    let audio: AudioCoordinator
    let video: VideoCoordinator
    let host: RoomHost
    let history: RoomHistory
    let evidence: EvidenceKeeper
    let identity: PersonalIdentity
    let people: VerifiedPeopleStore
    /// The calls that have not ended, by id.
    private(set) var calls: [String: RoomCall] = [:]
    private(set) var activeID: String?
    /// How the last call ended, for consoles that come later.
    private(set) var lastEnd: CallEnd?
    /// Who rang in vain since the last console went.
    private(set) var missed: [MissedRing] = []
    private static let missedLimit = 20
    var waiting: [String: WaitingRoom] = [:]
    private var lastID = 0
    private var aloneTimer: EngineTimer?
    private var network: NetworkWatch?
    /// The unit of `call.alone-leave`.
    var minute = Duration.seconds(60)
    var floor = Floor()
    /// How many consoles a person sits at.
    var consoleCount = 0
    /// Called when something that consoles show has changed.
    var onChange: (() -> Void)?
    var onEvent: ((EventUpdate) -> Void)?
    /// Called before the devices go to a call, or to none.
    var onDevicesGo: ((RoomCall?) -> Void)?
    /// Whether calls use loopback addresses only: the demonstration's.
    var staysOnLoopback = false

    init(
        settings: Settings, audio: AudioCoordinator, video: VideoCoordinator, host: RoomHost, history: RoomHistory,
        evidence: EvidenceKeeper, identity: PersonalIdentity, people: VerifiedPeopleStore
    ) {
        self.settings = settings
        self.audio = audio
        self.video = video
        self.host = host
        self.history = history
        self.evidence = evidence
        self.identity = identity
        self.people = people
        aloneTimer = EngineTimer { [weak self] in self?.leaveIfAlone() }
        evidence.onFailure = { [weak self] in self?.event(.warning, nil, text: "\($0)") }
        host.onClosed = { [weak self] in self?.onChange?() }
        host.invites.onFailure = { [weak self] in self?.event(.warning, nil, text: $0) }
        network = NetworkWatch { [weak self] in self?.networkChanged(new: $0, gone: $1) }
    }

    var activeCall: RoomCall? {
        activeID.flatMap { calls[$0] }
    }

    /// The call with that id; the active one, or the only one, when none is given (L43).
    func call(_ id: String?) throws(RPCError) -> RoomCall {
        if let id {
            guard let call = calls[id] else { throw .failed("no call \(id.quoted); hoot status lists them") }
            return call
        }
        guard let call = activeCall ?? (calls.count == 1 ? calls.first?.value : nil) else {
            throw .failed("there is no call; hoot join or hoot host starts one")
        }
        return call
    }

    /// The call that rings: the one named, or the newest.
    func ringingCall(_ id: String?) throws(RPCError) -> RoomCall {
        if id != nil { return try call(id) }
        guard let call = calls.values.filter({ $0.lifecycle.phase == .ringing }).max(by: { $0.id < $1.id }) else {
            throw .failed("no call rings; the caller may have given up")
        }
        return call
    }

    /// Makes a call, not yet started. `isMuted` `nil`: muted if nobody sits at a console (the microphone of an empty
    /// chair is nobody's wish).
    func makeCall(_ plan: CallPlan) -> RoomCall {
        lastID += 1
        var callSettings = RoomCall.Settings(name: plan.name ?? personName, identity: identity.certificate)
        callSettings.transport = transportConfiguration(plan)
        // The usual length is no wish: then each side follows the other's, if it has one.
        let packetTime = AudioCoordinator.sendSettings(settings).frameDuration
        callSettings.packetTime = packetTime == AudioPath.SendSettings().frameDuration ? nil : packetTime
        callSettings.codecs = settings.strings("audio.codecs").compactMap(NegotiatedCodec.init)
        callSettings.videoCodec = VideoCodec(rawValue: settings.string("video.codec"))
        callSettings.isMuted = plan.isMuted ?? (consoleCount == 0)
        let call = RoomCall(
            id: "call-\(lastID)", room: plan.room, host: plan.host, isServedHere: plan.isServedHere,
            settings: callSettings,
            media: audio, isRinging: plan.caller != nil,
            patience: .seconds(plan.caller == nil ? 60 : settings.integer("call.answer-interval")))
        call.caller = plan.caller
        if plan.caller != nil {
            call.ringsUntil = Date(timeIntervalSinceNow: Double(settings.integer("call.answer-interval")))
        }
        call.pictures = video
        call.owner = self
        callSettings.transport.servers?.onFailure = { [weak call] in call?.happened(.warning, nil, "\($0)") }
        calls[call.id] = call
        return call
    }

    /// Starts or answers a call and makes it the active one; the answer comes when it is fulfilled or has failed.
    func begin(_ call: RoomCall, _ action: CallLifecycle.Action, reply: @escaping RoomCall.Completion) {
        if let former = activeCall, former !== call {
            if !former.lifecycle.isHeld { call.displacedID = former.id }
            former.request(.setHeld(true))
        }
        if activeCall == nil { audio.microphone.isMuted = call.settings.isMuted }
        activeID = call.id
        useDevices(for: call)
        event(.callStarted, call, text: "calling \(call.room) @ \(call.host)")
        call.request(action, completion: reply)
    }

    /// Gives a held call the devices, holding the one that has them.
    func activate(_ call: RoomCall) {
        guard activeID != call.id else { return }
        activeCall?.request(.setHeld(true))
        activeID = call.id
        useDevices(for: call)
        call.request(.setHeld(false))
        onChange?()
    }

    private func useDevices(for call: RoomCall?) {
        onDevicesGo?(call)
        audio.activate(call)
        video.activate(call)
    }

    /// What the last console's going means for the microphone.
    func consolesChanged(count: Int, leftOnPurpose: Bool) {
        // What was missed has been read by now.
        if count == 0, consoleCount > 0 { missed = [] }
        consoleCount = count
        defer { audio.setAttended(count > 0) }
        onChange?()
        guard count == 0 else { return video.setSuspended(false) }
        // Whoever pushed is not there any more.
        audio.endTalk(of: .script)
        guard let call = activeCall else { return }
        audio.path.pipeline.play(.detached)
        let policy = DetachPolicy(rawValue: settings.string(leftOnPurpose ? "call.on-detach" : "call.on-lost"))
        switch policy ?? .keep {
        case .keep: break
        case .mute:
            audio.microphone.isMuted = true
            audio.applyMicrophone()
            video.setSuspended(true)
        case .hold: call.request(.setHeld(true))
        case .leave:
            call.request(.end(leftOnPurpose ? "left as the last console was" : "left: the last console was lost"))
        }
    }

    /// Has everybody found anew, over what addresses there are now.
    private func networkChanged(new: Set<String>, gone: Set<String>) {
        let changes = new.sorted().map { "+" + $0 } + gone.sorted().map { "−" + $0 }
        let text = "the network has changed (\(changes.joined(separator: " ")))"
        if calls.isEmpty { Log.info("call", text) } else { event(.network, activeCall, text: text) }
        for call in calls.values where call.isServedHere { refreshLinks(of: call.room) }
        for room in waiting.values { room.networkChanged() }
        for call in calls.values { call.networkChanged(isOnline: network?.addresses.isEmpty == false) }
    }

    /// Ends everything, for a core that stops.
    func shutDown() {
        for room in waiting.values { room.stop() }
        for call in Array(calls.values) { call.request(.end()) }
        host.shutDown()
    }

    func event(_ kind: EventUpdate.Kind, _ call: RoomCall?, participant: String? = nil, text: String) {
        let time = Int(Date().timeIntervalSince1970 * 1000)
        onEvent?(EventUpdate(time: time, kind: kind, call: call?.id, participant: participant, text: text))
    }

    var personName: String {
        let name = settings.string("person.name")
        return name.isEmpty ? identity.loginName : name
    }

    private func transportConfiguration(_ plan: CallPlan) -> TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.localAddresses =
            staysOnLoopback ? .only(["127.0.0.1"]) : plan.isLocal ? .interfacesAndLoopback : .interfaces
        configuration.mediaPorts = PortRange(settings.string("network.media-ports"))?.ports
        configuration.publicAddress =
            plan.publicAddress ?? PublicAddress(settings.string("network.public-address"))?.text
        configuration.relaysOnly = settings.string("network.ice-policy") == "relay"
        configuration.servers = ICEServerPool(
            ICEServers(settings).own("hoot"), authorityFile: settings.string("network.turn-ca"))
        return configuration
    }

    private func scheduleAlone() {
        let minutes = settings.integer("call.alone-leave")
        guard let call = activeCall, call.members.isEmpty, call.connectedAt != nil, minutes > 0 else {
            aloneTimer?.cancel()
            activeCall?.aloneLeaveAt = nil
            return
        }
        guard call.aloneLeaveAt == nil else { return }
        call.aloneLeaveAt = Date(timeIntervalSinceNow: (minute * minutes).seconds)
        aloneTimer?.arm(after: minute * minutes)
    }

    /// Counts anew, by a changed `call.alone-leave`.
    func aloneLimitChanged() {
        activeCall?.aloneLeaveAt = nil
        scheduleAlone()
    }

    private func leaveIfAlone() {
        guard let call = activeCall, call.members.isEmpty else { return }
        call.request(.end("left: nobody came for \(settings.integer("call.alone-leave")) minutes"))
    }
}

/// What is known of a call before it begins.
struct CallPlan {
    var room: String
    var host: String
    /// Whether this core serves the room.
    var isServedHere = false
    var name: String?
    var isMuted: Bool?
    /// Whether the room is served on this machine or for it alone.
    var isLocal = false
    /// Who rings.
    var caller: String?
    /// What others reach this machine by, where it is not what the settings say.
    var publicAddress: String?
}

extension CallController: RoomCallOwner {
    func callChanged(_ call: RoomCall) {
        encodeForAll(in: call)
        onChange?()
    }

    func call(_ call: RoomCall, happened kind: EventUpdate.Kind, participant: String?, text: String) {
        switch kind {
        case .knock: audio.path.pipeline.play(.joined)
        // With nobody at a console every change of the roster is heard.
        case .memberJoined where call.id == activeID && consoleCount > 0: audio.play(.joined)
        case .memberLeft where call.id == activeID && consoleCount > 0: audio.play(.left)
        default: break
        }
        event(kind, call, participant: participant, text: text)
    }

    func call(_ call: RoomCall, authenticated member: RoomMember, _ fingerprint: CertificateFingerprint) {
        guard case .changed = people.people.mark(of: member.name, fingerprint: fingerprint) else { return }
        event(
            .warning, call, participant: member.id.rawValue,
            text:
                "\(member.shownName) was verified with another certificate: a new device, or somebody else; compare again"
        )
    }

    func call(_ call: RoomCall, said message: ChatMessage) {
        onEvent?(
            EventUpdate(
                time: message.time, kind: .chat, call: call.id, participant: message.from, text: message.line,
                message: message.text))
    }

    func callRosterChanged(_ call: RoomCall) {
        guard call.id == activeID else { return }
        if consoleCount == 0, call.connectedAt != nil { audio.path.pipeline.play(.joined) }
        scheduleAlone()
        audio.applyMicrophone()
    }

    func callEnded(_ call: RoomCall, reason: String) {
        calls[call.id] = nil
        if activeID == call.id {
            activeID = nil
            useDevices(for: nil)
            aloneTimer?.cancel()
            if call.connectedAt == nil, let former = call.displacedID.flatMap({ calls[$0] }) { activate(former) }
        }
        if call.caller != nil, !calls.values.contains(where: { $0.lifecycle.phase == .ringing }) { audio.stopRinging() }
        if call.isServedHere { host.close(call.room, keepsRoom: !call.closesRoom) }
        waiting[call.room]?.callEnded(call)
        let (summary, figuresPath) = evidence.end(call)
        if call.lifecycle.hasBegun {
            let now = Date()
            var end = CallEnd(
                room: call.room, host: call.host, reason: reason, endedAt: Self.milliseconds(now),
                wasLeft: reason == CallLifecycle.left)
            end.duration = call.connectedAt.map { Int(now.timeIntervalSince($0)) }
            (end.lossPercent, end.mos, end.figuresPath) = (summary.lossPercent, summary.mos, figuresPath)
            lastEnd = end
        }
        if let caller = call.caller, !call.lifecycle.hasBegun, reason != CallLifecycle.rejected {
            let ring = MissedRing(caller: caller, room: call.room, rangAt: Self.milliseconds(Date()))
            missed = (missed + [ring]).suffix(Self.missedLimit)
        }
        event(.callEnded, call, text: "\(call.room): \(reason)")
        onChange?()
    }

    /// Encodes once by each codec that somebody in the call is sent.
    private func encodeForAll(in call: RoomCall) {
        guard call.id == activeID else { return }
        let codecs = Set(call.peers.values.compactMap(\.media?.sending.codec))
        if !codecs.isEmpty { audio.path.use(codecs) }
    }
}
