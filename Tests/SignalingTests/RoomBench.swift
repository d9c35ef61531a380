import Primitives
import Testing

@testable import Signaling

/// A server machine and its clients on a virtual clock, joined by queues instead of sockets.
struct RoomBench {
    struct Client {
        var machine: RoomClientMachine
        var connection: ConnectionID?
        var events: [RoomEvent] = []
        /// What the driver must do is done only while the network works.
        var isOnline = true
    }

    static let room = "standup"
    static let token = invite(.guest)
    static let hostToken = invite(.host)
    static let listenerToken = invite(.listener)

    static var name: RoomName {
        invites.room
    }

    /// The book of the room at its opening: an invite of each role, for any number of people, without an end.
    static let invites: InviteBook = {
        // A name and a key that are always good.
        guard let name = try? RoomName(room), let signer = RoomTokenSigner(key: [UInt8](repeating: 7, count: 32)) else {
            fatalError("room name")
        }
        var book = InviteBook(room: name, signer: signer, nonces: SplitMix64(seed: 3))
        for role in RoomRole.allCases { _ = try? book.issue(role, at: 0) }
        return book
    }()

    private static func invite(_ role: RoomRole) -> String {
        invites.record.invites.first { $0.role == role }.map { invites.token(of: $0).text } ?? ""
    }

    var now = MonoTime.zero
    var server: RoomServerMachine
    var clients: [String: Client] = [:]
    var serverEvents: [RoomServerMachine.Event] = []
    private var nextConnection: UInt64 = 1
    /// What is on its way, in order.
    private var steps: [(inout RoomBench) -> Void] = []
    private var isMoving = false

    init(limits: RoomLimits = RoomLimits(), seats: Int = 8, hasLobby: Bool = false) {
        server = RoomServerMachine(instance: "first", limits: limits)
        _ = server.open(Self.configuration(seats: seats, hasLobby: hasLobby))
    }

    static func configuration(seats: Int = 8, hasLobby: Bool = false, invites: InviteBook = invites)
        -> RoomConfiguration
    {
        var configuration = RoomConfiguration(invites: invites)
        configuration.seats = seats
        configuration.hasLobby = hasLobby
        return configuration
    }

    static func hello(
        _ name: String, token: String = token, session: String? = nil, intent: Hello.Intent = .join
    ) -> Hello {
        Hello(
            room: room, token: token, name: name, identity: "identity-of-\(name)-0", session: session ?? "s-\(name)",
            intent: intent)
    }

    static func id(_ name: String) -> MemberID {
        MemberID(identity: "identity-of-\(name)-0")
    }

    mutating func connect(isLocal: Bool = false) -> ConnectionID? {
        let id = ConnectionID(rawValue: nextConnection)
        nextConnection += 1
        return server.accept(id, isLocal: isLocal, at: now) ? id : nil
    }

    /// The token of a new invite.
    mutating func issue(_ role: RoomRole, isSingleUse: Bool = false, expiry: UInt64? = nil) -> String {
        var token = ""
        runServer { server, now, out in
            let invite = try? server.issue(
                role, isSingleUse: isSingleUse, expiry: expiry, in: Self.name, at: now, into: &out)
            token = invite.flatMap { server.invites(of: Self.name)?.token(of: $0).text } ?? ""
        }
        return token
    }

    mutating func revoke(_ number: Int, removing: Bool = false) {
        runServer { server, now, out in
            let isStruckOut = server.revoke(number, removing: removing, in: Self.name, at: now, into: &out)
            #expect(isStruckOut)
        }
    }

    mutating func say(_ name: String, _ message: ClientMessage) {
        run(name) { machine, _, out in
            let isSaid = machine.say(message, into: &out)
            #expect(isSaid)
        }
    }

    mutating func decide(_ host: String, _ decision: HostMessage) {
        say(host, .host(decision))
    }

    /// What the server answers to one raw message, to anyone.
    @discardableResult
    mutating func say(_ text: String, from id: ConnectionID) -> [ServerMessage] {
        var out = Outbox<RoomServerMachine.Event>()
        server.receive([UInt8](text.utf8).span.bytes, from: id, at: now, into: &out)
        return take(out, to: id)
    }

    @discardableResult
    mutating func say(_ message: ClientMessage, from id: ConnectionID) -> [ServerMessage] {
        say(String(decoding: RoomProtocol.encode(message), as: UTF8.self), from: id)
    }

    private mutating func take(_ out: Outbox<RoomServerMachine.Event>, to id: ConnectionID) -> [ServerMessage] {
        for event in out.events {
            serverEvents.append(event)
            steps.append { $0.perform(event) }
        }
        move()
        return out.events.compactMap { event in
            guard case .send(id, let bytes) = event else { return nil }
            return try? RoomProtocol.decode(ServerMessage.self, from: bytes.span.bytes)
        }
    }

    mutating func add(
        _ name: String, intent: Hello.Intent = .join, token: String = token, session: String? = nil
    ) {
        let hello = Self.hello(name, token: token, session: session, intent: intent)
        clients[name] = Client(machine: RoomClientMachine(hello: hello, random: SplitMix64(seed: 1)))
        run(name) { $0.start(at: $1, into: &$2) }
    }

    mutating func run(
        _ name: String, _ body: (inout RoomClientMachine, MonoTime, inout Outbox<RoomClientMachine.Event>) -> Void
    ) {
        guard var client = clients.removeValue(forKey: name) else { return }
        var out = Outbox<RoomClientMachine.Event>()
        body(&client.machine, now, &out)
        clients[name] = client
        for message in out.datagrams { steps.append { $0.deliver(message, from: name) } }
        for event in out.events { steps.append { $0.perform(event, of: name) } }
        move()
    }

    private mutating func move() {
        guard !isMoving else { return }
        isMoving = true
        while !steps.isEmpty {
            let step = steps.removeFirst()
            step(&self)
        }
        isMoving = false
    }

    private mutating func perform(_ event: RoomClientMachine.Event, of name: String) {
        switch event {
        case .room(let event): clients[name]?.events.append(event)
        case .disconnect: hangUp(name)
        case .connect:
            guard clients[name]?.isOnline == true, let id = connect() else {
                return run(name) { $0.disconnected("no way", at: $1, into: &$2) }
            }
            clients[name]?.connection = id
            run(name) { $0.connected(at: $1, into: &$2) }
        }
    }

    private mutating func hangUp(_ name: String) {
        guard let id = clients[name]?.connection else { return }
        clients[name]?.connection = nil
        runServer { $0.disconnected(id, at: $1, into: &$2) }
    }

    private mutating func deliver(_ message: [UInt8], from name: String) {
        guard clients[name]?.isOnline == true, let id = clients[name]?.connection else { return }
        runServer { $0.receive(message.span.bytes, from: id, at: $1, into: &$2) }
    }

    mutating func runServer(
        _ body: (inout RoomServerMachine, MonoTime, inout Outbox<RoomServerMachine.Event>) -> Void
    ) {
        var out = Outbox<RoomServerMachine.Event>()
        body(&server, now, &out)
        for event in out.events {
            serverEvents.append(event)
            steps.append { $0.perform(event) }
        }
        move()
    }

    private mutating func perform(_ event: RoomServerMachine.Event) {
        switch event {
        case .send(let id, let bytes):
            let target = clients.first { $0.value.connection == id && $0.value.isOnline }
            guard let name = target?.key else { return }
            run(name) { $0.receive(bytes.span.bytes, at: $1, into: &$2) }
        case .close(let id, let refusal): end(id, refusal.reason)
        case .abort(let id): end(id, "cut off")
        case .roomClosed, .invitesChanged: break
        }
    }

    /// The server ends a connection, which a client without network does not see.
    private mutating func end(_ id: ConnectionID, _ reason: String) {
        guard let client = clients.values.first(where: { $0.connection == id }) else { return }
        if client.isOnline { cut(id, reason) } else { runServer { $0.disconnected(id, at: $1, into: &$2) } }
    }

    /// The connection ends at both sides.
    mutating func cut(_ id: ConnectionID, _ reason: String) {
        runServer { $0.disconnected(id, at: $1, into: &$2) }
        guard let name = clients.first(where: { $0.value.connection == id })?.key else { return }
        clients[name]?.connection = nil
        run(name) { $0.disconnected(reason, at: $1, into: &$2) }
    }

    mutating func cut(_ name: String) {
        if let id = clients[name]?.connection { cut(id, "the connection broke") }
    }

    /// The server is gone and another one takes its place.
    mutating func restartServer(hasLobby: Bool = false) {
        let invites = server.invites(of: Self.name) ?? Self.invites
        server = RoomServerMachine(instance: "second")
        _ = server.open(Self.configuration(hasLobby: hasLobby, invites: invites))
        for name in clients.keys.sorted() where clients[name]?.connection != nil {
            clients[name]?.connection = nil
            run(name) { $0.disconnected("the connection broke", at: $1, into: &$2) }
        }
    }

    /// Lets the clock run, from deadline to deadline.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while true {
            var next: MonoTime? = server.deadline
            for client in clients.values { next = earlier(next, client.machine.deadline) }
            guard let next, next <= end else { break }
            now = max(now, next)
            runServer { $0.tick(at: $1, into: &$2) }
            expectAdvance(server.deadline)
            for name in clients.keys.sorted() {
                run(name) { $0.tick(at: $1, into: &$2) }
                expectAdvance(clients[name]?.machine.deadline)
            }
        }
        now = end
    }

    private func expectAdvance(_ deadline: MonoTime?) {
        if let deadline { #expect(deadline > now, "a deadline did not advance") }
    }

    func events(of name: String) -> [RoomEvent] {
        clients[name]?.events ?? []
    }

    mutating func forgetEvents() {
        for name in clients.keys { clients[name]?.events = [] }
        serverEvents = []
    }
}
