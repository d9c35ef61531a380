import Primitives
package import Reactor

/// One member of a room: the machine, its timer, and its way to the room's server.
///
/// All on the engine. `onEvent` may be called before the call that caused the event returns, and may call back; `.closed`
/// is the last event.
@EngineActor
package final class RoomClient {
    private var machine: RoomClientMachine
    private let channel: any RoomChannel
    private let onEvent: @EngineActor (RoomEvent) -> Void
    private var timer: EngineTimer?
    private var generator = SystemRandomNumberGenerator()
    /// Tells events of an earlier connection from those of this one.
    private var connectionNumber = 0
    private var pending: [RoomClientMachine.Event] = []
    private var isPerforming = false

    /// A client of the room behind a link. `identity` is a secret of this installation (`makeSecret`): who shows it
    /// again is the same person. Call `start()` next.
    package convenience init(
        link: RoomLink, name: String, identity: String, intent: Hello.Intent = .join, capabilities: [String] = [],
        rings: RingSettings = RingSettings(), limits: RoomClientMachine.Limits = .init(),
        onEvent: @escaping @EngineActor (RoomEvent) -> Void
    ) {
        let hello = Hello(
            room: link.room.text, token: link.token.text, name: name, identity: identity, session: Self.makeSecret(),
            intent: intent, capabilities: capabilities)
        self.init(
            channel: WebSocketChannel(link: link), hello: hello, rings: rings, limits: limits, onEvent: onEvent)
    }

    init(
        channel: any RoomChannel, hello: Hello, rings: RingSettings = RingSettings(),
        limits: RoomClientMachine.Limits = .init(), onEvent: @escaping @EngineActor (RoomEvent) -> Void
    ) {
        let random = SplitMix64(seed: generator.next())
        machine = RoomClientMachine(hello: hello, random: random, rings: rings, limits: limits)
        self.channel = channel
        self.onEvent = onEvent
        timer = EngineTimer { [weak self] in self?.run { $0.tick(at: $1, into: &$2) } }
    }

    isolated deinit {
        channel.close()
    }

    /// 144 random bits as text: for identities.
    package nonisolated static func makeSecret() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode(randomBytes(18, using: &generator))
    }

    /// Connects.
    package func start() {
        run { $0.start(at: $1, into: &$2) }
    }

    /// Our id; `nil` until the first welcome.
    package var id: MemberID? {
        machine.id
    }

    /// Everyone else in the call.
    package var members: [RoomMember] {
        machine.members
    }

    /// What the room's server said last of STUN and TURN servers.
    package var iceServers: [ICEServer] {
        machine.welcome?.iceServers ?? []
    }

    /// Whether the connection to the server stands.
    package var isConnected: Bool {
        machine.isInside
    }

    /// Whom it rings for now, by name.
    package var ringingNames: Set<String> {
        machine.ringingNames
    }

    /// The calls that ring here now.
    package var incomingRings: [IncomingInvite] {
        machine.incomingRings
    }

    /// Says something to one member, or with `nil` to all others. While the connection is broken it is kept and sent
    /// later, except reports.
    package func send(_ message: PeerMessage, to member: MemberID? = nil) {
        run { $0.send(message, to: member, into: &$2) }
    }

    /// Says what a host decides about a person. `false`: the way to the server is broken, and nothing was said.
    @discardableResult
    package func decide(_ decision: HostMessage) -> Bool {
        run { machine, _, out in machine.say(.host(decision), into: &out) }
    }

    /// Presents a new token, or without one asks the hosts for more time. `false`: the way to the server is broken.
    @discardableResult
    package func renew(_ token: RoomToken? = nil) -> Bool {
        run { machine, _, out in machine.say(.renew(token: token?.text), into: &out) }
    }

    /// This machine's network has changed: a connection that may hang is tried, and one that is waited for begun at once.
    package func networkChanged() {
        run { $0.networkChanged(at: $1, into: &$2) }
    }

    /// Comes into the call after waiting; `.welcome` follows.
    package func enter() {
        run { $0.enter(into: &$2) }
    }

    /// Rings people who wait in the room, but for whom it rings for already; what becomes of it comes as `.ringing` events.
    @discardableResult
    package func ring(_ names: [String]) -> RingID {
        let call = RingID(Self.makeSecret())
        run { $0.ring(names, call: call, at: $1, into: &$2) }
        return call
    }

    /// Gives up on one person, or with `nil` on everyone of a call.
    package func hangUp(_ call: RingID, name: String? = nil) {
        run { $0.hangUp(call, name: name, into: &$2) }
    }

    /// Answers someone who rings. `false`: that call no longer rings.
    @discardableResult
    package func answer(_ call: RingID, _ answer: RingAnswer) -> Bool {
        run { machine, _, out in machine.answer(call, answer, into: &out) }
    }

    /// Says goodbye; a host may close the room for everyone with it. `.closed` follows.
    package func leave(closing: Bool = false) {
        run { $0.leave(closing: closing, into: &$2) }
    }

    @discardableResult
    private func run<Result>(
        _ body: (inout RoomClientMachine, MonoTime, inout Outbox<RoomClientMachine.Event>) -> Result
    ) -> Result {
        var out = Outbox<RoomClientMachine.Event>()
        let result = body(&machine, .now(), &out)
        for message in out.datagrams { channel.send(message) }
        pending += out.events
        timer?.arm(at: machine.deadline)
        performPending()
        return result
    }

    /// Performs events in their order, those included that a handler causes meanwhile.
    private func performPending() {
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        while !pending.isEmpty { perform(pending.removeFirst()) }
    }

    private func perform(_ event: RoomClientMachine.Event) {
        switch event {
        case .connect:
            connectionNumber += 1
            let number = connectionNumber
            channel.open { [weak self] event in self?.took(event, ofConnection: number) }
        case .disconnect:
            connectionNumber += 1
            channel.close()
        case .room(let event):
            onEvent(event)
        }
    }

    private func took(_ event: RoomChannelEvent, ofConnection number: Int) {
        guard number == connectionNumber else { return }
        switch event {
        case .opened: run { $0.connected(at: $1, into: &$2) }
        case .message(let bytes): run { $0.receive(bytes.span.bytes, at: $1, into: &$2) }
        case .closed(let reason): run { $0.disconnected(reason, at: $1, into: &$2) }
        }
    }
}
