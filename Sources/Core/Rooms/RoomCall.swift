import ControlProtocol
import Foundation
import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling
import Transport

/// What a call tells the controller.
@EngineActor
protocol RoomCallOwner: AnyObject {
    /// Something that consoles show has changed.
    func callChanged(_ call: RoomCall)
    func call(_ call: RoomCall, happened kind: EventUpdate.Kind, participant: String?, text: String)
    /// Somebody came or went; the count of others is in `call.peers`.
    func callRosterChanged(_ call: RoomCall)
    /// The certificate of a member is proven, and its code known.
    func call(_ call: RoomCall, authenticated member: RoomMember, _ fingerprint: CertificateFingerprint)
    /// Somebody wrote, here or elsewhere.
    func call(_ call: RoomCall, said message: ChatMessage)
    func callEnded(_ call: RoomCall, reason: String)
}

/// One call in a room: its life, its members, the connections to them.
@EngineActor
final class RoomCall {
    typealias Completion = @EngineActor (Result<Void, CallError>) -> Void

    /// How this side takes part.
    struct Settings {
        var name: String
        var identity: DTLSIdentity
        var transport = TransportConfiguration()
        /// The length of packets that we wish for; `nil`: as the others like.
        var packetTime: Duration?
        /// What is spoken, best first.
        var codecs = NegotiatedCodec.allCases
        var isMuted = false
        /// What is preferred for pictures; `nil`: there are none.
        var videoCodec: VideoCodec?
    }

    let id: String
    let room: String
    let host: String
    /// Whether this core serves the room.
    let isServedHere: Bool
    /// What we may do in the room, once it has told.
    var role: RoomRole
    let settings: Settings
    let media: any CallMedia
    /// Who shows and captures; `nil`: nobody.
    weak var pictures: (any CallPictures)?
    /// What the others are told.
    private var status = MemberStatus()
    weak var owner: (any RoomCallOwner)?
    /// The way to the room's server; set once, before `start`.
    var client: RoomClient?
    var lifecycle: CallLifecycle
    var peers: [MemberID: PeerSession] = [:]
    /// The members as the room lists them, in the order of joining.
    var members: [RoomMember] = []
    var statuses: [MemberID: MemberStatus] = [:]
    /// Who has shown a picture in this call: of the others it is no news that they show none.
    var haveShown: Set<MemberID> = []
    /// The call that went on hold for this one.
    var displacedID: String?
    /// What each member last reported of the others.
    var reports: [MemberID: LossReport] = [:]
    /// The codes to compare, and the certificates that they vouch for.
    var authenticated: [MemberID: (code: AuthenticationCode, fingerprint: CertificateFingerprint)] = [:]
    var streams: [MemberID: Int32] = [:]
    var ringing: [String: RingState] = [:]
    /// The names that can be rung.
    var waiting: [String] = []
    var chat = ChatLog()
    var reconnecting: (attempt: Int, nextAt: Date)?
    var outage: CallState.Outage?
    /// While there is an outage: milliseconds since 1970 of the server's last word.
    var lastHeardAt: Int?
    /// Milliseconds since 1970; `nil`: never.
    var expiresAt: Int?
    /// Who asks us, as a host, to be let in.
    var knocks: [KnockState] = []
    /// Who asks us, as a host, for more time.
    var wantTime: Set<MemberID> = []
    var connectedAt: Date?
    var aloneLeaveAt: Date?
    /// The ways into the room that are known here.
    var links: [RoomLink] = []
    /// What `connect` does; the way into the room, unless it is an answer.
    var onConnect: (() -> Void)?
    /// Who rings, while the call rings.
    var caller: String?
    /// While it rings: when it is given up.
    var ringsUntil: Date?
    /// Whether ending the call closes a hosted room for everyone.
    var closesRoom: Bool
    private var completions: [CallLifecycle.Token: Completion] = [:]
    private var lastToken = 0
    private var lifeTimer: EngineTimer?
    private var reportTimer: EngineTimer?
    private var measureTimer: EngineTimer?
    private var expectedLoss = ExpectedLossPolicy<MemberID>()
    /// What the peers need of the sound that they are sent.
    private(set) var needs = ReceiverNeeds()
    var reportBases: [MemberID: ReceptionCounters] = [:]

    /// What the room is told that we can do.
    static let capabilities = [RoomProtocol.picturesCapability]
    /// How often losses are reported to the others.
    static let reportInterval = Duration.seconds(5)

    init(
        id: String, room: String, host: String, isServedHere: Bool, settings: Settings, media: any CallMedia,
        isRinging: Bool = false, patience: Duration = .seconds(45)
    ) {
        self.id = id
        self.room = room
        self.host = host
        self.isServedHere = isServedHere
        role = isServedHere ? .host : .guest
        closesRoom = isServedHere
        self.settings = settings
        self.media = media
        lifecycle = CallLifecycle(isRinging: isRinging, patience: patience)
        lifeTimer = EngineTimer { [weak self] in
            guard let self else { return }
            execute(lifecycle.tick(at: .now()))
        }
        reportTimer = EngineTimer { [weak self] in self?.report() }
        measureTimer = EngineTimer { [weak self] in self?.measure() }
    }

    /// Wishes something; `completion` is called once, when it is fulfilled or has failed.
    func request(_ action: CallLifecycle.Action, completion: @escaping Completion = { _ in }) {
        lastToken += 1
        completions[lastToken] = completion
        execute(lifecycle.request(action, token: lastToken, at: .now()))
    }

    func execute(_ effects: [CallLifecycle.Effect]) {
        lifeTimer?.arm(at: lifecycle.deadline)
        for effect in effects { execute(effect) }
        owner?.callChanged(self)
    }

    private func execute(_ effect: CallLifecycle.Effect) {
        switch effect {
        case .connect:
            if let onConnect { onConnect() } else { client?.start() }
            reportTimer?.arm(after: Self.reportInterval)
            measureTimer?.arm(after: .seconds(1))
        case .hold(let isHeld):
            for peer in peers.values { peer.setHeld(isHeld) }
            media.callHeld(self, isHeld)
            pictures?.callHeld(self)
        case .leave:
            for peer in peers.values { peer.close(reason: "left") }
            client?.leave(closing: closesRoom)
        case .stopMedia:
            for member in Array(peers.keys) { drop(member) }
            reportTimer = nil
            measureTimer = nil
            lifeTimer = nil
        case .fulfil(let token): completions.removeValue(forKey: token)?(.success(()))
        case .fail(let token, let error): completions.removeValue(forKey: token)?(.failure(error))
        case .ended(let reason): owner?.callEnded(self, reason: reason)
        }
    }

    /// Tells the others what the microphone and the speaker do.
    func announce(_ status: MemberStatus) {
        let shown = (self.status.video, self.status.screen)
        self.status = status
        (self.status.video, self.status.screen) = shown
        client?.send(.status(self.status))
    }

    /// Tells the others whether there is a picture, and whether it is no camera's.
    func announce(video: Bool, isScreen: Bool) {
        guard (status.video, status.screen) != (video, video && isScreen) else { return }
        (status.video, status.screen) = (video, video && isScreen)
        client?.send(.status(status))
    }

    /// Sends one encoded packet to everybody who has agreed on its codec.
    func send(_ audio: AudioPath.EncodedAudio, payload: UnsafeRawBufferPointer) {
        for peer in peers.values { peer.send(audio, payload: payload) }
    }

    /// Connects to a member; who came later makes the offer.
    func connect(to member: RoomMember, offers: Bool) {
        drop(member.id)
        pictures?.addPictures(of: member.id)
        statuses[member.id] = member.status
        if member.status.video { haveShown.insert(member.id) }
        guard let me = client?.id else { return }
        let context = PeerSession.Context(
            room: room, myID: me, identity: settings.identity, transport: settings.transport,
            canonicalName: me.rawValue, packetTime: settings.packetTime, codecs: settings.codecs,
            direction: MediaDirection(sends: role != .listener, receives: member.role != .listener),
            videoCodec: settings.videoCodec)
        do throws(TransportError) {
            let peer = try PeerSession(member: member, offers: offers, context: context, owner: self)
            peers[member.id] = peer
            if lifecycle.isHeld { peer.setHeld(true) }
        } catch {
            happened(.warning, member.id, "no connection to \(member.shownName): \(error)")
        }
    }

    /// This machine's addresses have changed: the room's server and the members are to be found anew. What still works
    /// goes on meanwhile. Without any address there is nothing to try yet.
    func networkChanged(isOnline: Bool) {
        guard isOnline else { return }
        client?.networkChanged()
        settings.transport.servers?.refresh()
        for peer in peers.values { peer.restartICE() }
    }

    /// Ends the connection to a member, if there is one.
    func drop(_ id: MemberID) {
        peers.removeValue(forKey: id)?.close()
        if let stream = streams.removeValue(forKey: id) { media.removeStream(stream) }
        pictures?.removePictures(of: id)
        wantTime.remove(id)
        reports[id] = nil
        authenticated[id] = nil
        reportBases[id] = nil
        expectedLoss.remove(id)
        updateNeeds()
    }

    func happened(_ kind: EventUpdate.Kind, _ member: MemberID? = nil, _ text: String) {
        owner?.call(self, happened: kind, participant: member?.rawValue, text: text)
    }

    /// A member's name in a sentence.
    func name(of id: MemberID) -> String {
        (members.first { $0.id == id } ?? peers[id]?.member)?.shownName ?? "somebody"
    }

    /// Enters the last second into the histories, and tells the encoders what the peers need by now.
    private func measure() {
        measureTimer?.arm(after: .seconds(1))
        let now = MonoTime.now()
        for (id, peer) in peers {
            let playout = streams[id].flatMap { media.playout(of: $0) }
            peer.history.record(peer.rtcp.receivers[0].counters, playout: playout, at: now)
            peer.updateRedundancy(at: now)
            guard let stream = streams[id] else { continue }
            if let delay = peer.synchronize(media.presentation(of: stream), at: now) {
                media.setSyncDelay(delay, of: stream)
            }
        }
        updateNeeds()
    }

    func updateNeeds() {
        var new = ReceiverNeeds(peers.values.compactMap(\.media).filter(\.direction.sends))
        new.expectedLossPercent = expectedLoss.expectedLossPercent(at: .now())
        let listeners = peers.values.filter { $0.media?.direction.sends == true && $0.media?.sending.codec == .opus }
        new.copies = listeners.map(\.copies).max() ?? 0
        new.sparesSome = new.copies > 0 && listeners.contains { $0.copies == 0 }
        for peer in listeners { peer.encodings.wantsForCopies = new.sparesSome && peer.copies > 0 }
        guard new != needs else { return }
        needs = new
        media.needsChanged(of: self)
    }

    /// Takes a peer's report on what it receives of us. Redundancy inside Opus is for those alone who can use it and get
    /// no whole copies.
    func reported(_ reception: RemoteReception, by peer: PeerSession) {
        let usesInbandFEC = peer.media.map { $0.sending.codec == .opus && $0.opus.usesInbandFEC } ?? false
        guard usesInbandFEC, peer.copies == 0 else { return expectedLoss.remove(peer.member.id) }
        let bucket = LossBucket(reception)
        expectedLoss.report(bucket, from: peer.member.id, at: .now())
        // The first losses are repaired as soon as may be, of which a second hears much.
        if bucket.lost > 0, needs.expectedLossPercent == 0 { updateNeeds() }
    }

    /// Tells everybody what was lost of whom since the last report.
    private func report() {
        defer { reportTimer?.arm(after: Self.reportInterval) }
        var losses: [LossReport.Loss] = []
        for (id, peer) in peers {
            let counters = peer.rtcp.receivers[0].counters
            let base = reportBases.updateValue(counters, forKey: id) ?? ReceptionCounters()
            let expected = max(0, counters.expectedCount - base.expectedCount)
            let lost = min(max(0, counters.lostCount - base.lostCount), expected)
            guard expected > 0 else { continue }
            losses.append(.init(sender: id, expected: Int(expected), lost: Int(lost)))
        }
        client?.send(.report(LossReport(seconds: Self.reportInterval.seconds, losses: losses)))
    }
}
