import ControlProtocol
import Primitives
import Reactor
import Signaling

/// A room that this core can be rung in, without being in it.
@EngineActor
final class WaitingRoom {
    let link: RoomLink
    let name: String
    private let identity: String
    private let rings: RingSettings
    private var client: RoomClient?
    /// The call that came of ringing; the room's events go there.
    private var call: RoomCall?
    private var ringID: RingID?
    private(set) var isConnected = false
    /// Called when somebody rings; gives the call that rings from now on.
    var onRing: ((_ caller: String, _ room: WaitingRoom) -> RoomCall?)?
    var onChange: (() -> Void)?
    /// Called when the room cannot be waited in any more.
    var onClosed: ((String) -> Void)?

    init(link: RoomLink, name: String, identity: String, rings: RingSettings) {
        self.link = link
        self.name = name
        self.identity = identity
        self.rings = rings
    }

    func start() {
        let client = RoomClient(
            link: link, name: name, identity: identity, intent: .wait,
            capabilities: RoomCall.capabilities, rings: rings, onEvent: { [weak self] in self?.took($0) })
        self.client = client
        client.start()
    }

    func stop() {
        client?.leave()
        client = nil
        isConnected = false
    }

    func networkChanged() {
        client?.networkChanged()
    }

    /// Answers the ring: what follows is an ordinary call in the room.
    func accept() {
        guard let ringID else { return }
        client?.answer(ringID, .accepted)
        client?.enter()
    }

    func reject() {
        guard let ringID else { return }
        // The answer ends the ringing at once: it is not to be taken for the caller's doing.
        self.ringID = nil
        call = nil
        client?.answer(ringID, .rejected)
    }

    /// The call is over: wait again.
    func callEnded(_ ended: RoomCall) {
        guard ended === call else { return }
        call = nil
        ringID = nil
        guard ended.client != nil else { return }
        isConnected = false
        start()
        onChange?()
    }

    private func took(_ event: RoomEvent) {
        switch event {
        case .incomingRing(let invite): rings(invite)
        case .incomingRingEnded(let id, let reason):
            guard id == ringID, let call, call.lifecycle.phase == .ringing else { return }
            ringID = nil
            call.execute(call.lifecycle.closed(reason == .lost ? "the caller went away" : "the caller hung up"))
        case .welcome where call == nil: setConnected(true)
        case .reconnected where call == nil: setConnected(true)
        case .reconnecting where call == nil: setConnected(false)
        case .closed(let end) where call == nil:
            setConnected(false)
            onClosed?(end.description)
        default: call?.took(event)
        }
    }

    private func rings(_ invite: IncomingInvite) {
        guard call == nil else {
            client?.answer(invite.call, .busy)
            return
        }
        ringID = invite.call
        call = onRing?(invite.name, self)
        guard let call else { return }
        call.onConnect = { [weak self, weak call] in
            call?.client = self?.client
            self?.accept()
        }
    }

    private func setConnected(_ connects: Bool) {
        isConnected = connects
        onChange?()
    }
}
