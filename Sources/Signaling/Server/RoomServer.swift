import Primitives
package import Reactor

/// Serves rooms on one address: their signalling over WebSockets, and the page by which browsers join.
///
/// All on the engine. The members' media never pass through here.
@EngineActor
package final class RoomServer {
    package enum Security: Hashable, Sendable {
        case tls(TLSCredentials)
        /// Plain HTTP, for an address of this machine only.
        case plain
    }

    package struct Configuration: Sendable {
        /// An IPv4 or IPv6 address.
        package var address = "0.0.0.0"
        /// 0: any free one.
        package var port: UInt16 = 7443
        package var security: Security
        package var limits = RoomLimits()

        package init(security: Security) {
            self.security = security
        }
    }

    /// What a link pins; `nil` without TLS.
    package let fingerprint: CertificateFingerprint?
    /// Called when a room has ended.
    package var onRoomClosed: (@EngineActor (RoomName) -> Void)?
    /// Called when a room's invites have changed, with what has to be kept.
    package var onInvitesChanged: (@EngineActor (RoomName, InviteBook.Record) -> Void)?

    private var machine: RoomServerMachine
    /// Asked at each connection: credentials that take the place of those in use, for this and later connections.
    package var changedCredentials: (@EngineActor () -> TLSCredentials?)?
    private var certificate: TLSCertificate?
    private var listener: RoomListener?
    private var front: RoomFront?
    private var timer: EngineTimer?
    private var watch: EngineTimer?
    private var connections: [ConnectionID: AcceptedConnection] = [:]
    private var locals: [ConnectionID: LocalChannel] = [:]
    private var nextID: UInt64 = 1

    /// Listens from now on; rooms are opened next.
    package init(_ configuration: Configuration) throws(RoomServerError) {
        certificate = try Self.certificate(of: configuration.security)
        fingerprint = certificate?.fingerprint
        machine = RoomServerMachine(instance: RoomClient.makeSecret(), limits: configuration.limits)
        listener = try RoomListener(
            address: configuration.address, port: configuration.port,
            requiresLoopback: configuration.security == .plain,
            admits: { [weak self] in self?.admitsConnection() ?? false },
            onConnection: { [weak self] in self?.took($0) })
        front = RoomFront { [weak self] in self?.took($1, from: $0) }
        timer = EngineTimer { [weak self] in self?.run { $0.tick(at: $1, into: &$2) } }
        watch = EngineTimer { [weak self] in self?.cutEndlessMessages() }
    }

    /// The port that is listened on.
    package var port: UInt16 {
        listener?.port ?? 0
    }

    /// Origins under which reverse proxies show the page, such as `https://rooms.example`.
    package var publicOrigins: Set<String> {
        get { front?.origins ?? [] }
        set { front?.origins = newValue }
    }

    package var counters: RoomServerCounters {
        machine.counters
    }

    /// How many connections there are, and how many of them have not been let in.
    package var connectionCounts: (all: Int, outside: Int) {
        machine.connectionCounts
    }

    /// Opens a room.
    package func open(_ room: RoomConfiguration) throws(RoomServerError) {
        guard machine.open(room) else { throw .roomIsOpen(room.name.text) }
    }

    /// Tells everyone why and closes the room.
    package func close(_ room: RoomName, reason: String) {
        run { $0.close(room, reason: reason, at: $1, into: &$2) }
    }

    /// Gives out an invite to an open room; `expiry` in Unix seconds. `nil`: the room is not open.
    package func makeInvite(
        _ role: RoomRole, isSingleUse: Bool, expiry: UInt64?, to room: RoomName
    ) throws(InviteLimitError) -> (invite: Invite, token: RoomToken)? {
        let issued = run { machine, now, out in
            Result { () throws(InviteLimitError) in
                try machine.issue(role, isSingleUse: isSingleUse, expiry: expiry, in: room, at: now, into: &out)
            }
        }
        guard let invite = try issued.get(), let book = machine.invites(of: room) else { return nil }
        return (invite, book.token(of: invite))
    }

    /// The invites of an open room.
    package func invites(of room: RoomName) -> InviteBook? {
        machine.invites(of: room)
    }

    /// Withdraws an invite, and with `removing` those who came in by it. `false`: there is none of this number.
    package func revoke(_ number: Int, removing: Bool, in room: RoomName) -> Bool {
        run { $0.revoke(number, removing: removing, in: room, at: $1, into: &$2) }
    }

    /// Everyone in a room, the hosting member included.
    package func members(of room: RoomName) -> [RoomMember] {
        machine.members(of: room)
    }

    /// A member inside this process: it needs no socket and no token, and is the room's host. Call `start()` on it.
    package func makeLocalClient(
        room: RoomName, name: String, identity: String, capabilities: [String] = [],
        rings: RingSettings = RingSettings(), onEvent: @escaping @EngineActor (RoomEvent) -> Void
    ) -> RoomClient {
        let hello = Hello(
            room: room.text, token: "", name: name, identity: identity, session: RoomClient.makeSecret(),
            capabilities: capabilities)
        return RoomClient(channel: LocalChannel(server: self), hello: hello, rings: rings, onEvent: onEvent)
    }

    /// Stops serving at once: listeners and connections are closed, nobody is told. Members come back when they find
    /// the server again.
    package func shutDown() {
        listener = nil
        timer = nil
        watch = nil
        for connection in connections.values { connection.abort() }
        connections = [:]
        for local in locals.values { local.deliver(.closed("the server was shut down")) }
        locals = [:]
    }

    private static func certificate(of security: Security) throws(RoomServerError) -> TLSCertificate? {
        guard case .tls(let credentials) = security else { return nil }
        do throws(TLSCredentialsError) {
            return try credentials.certificate()
        } catch {
            throw .unusableCertificate("\(error)")
        }
    }

    private func makeID() -> ConnectionID {
        defer { nextID &+= 1 }
        return ConnectionID(rawValue: nextID)
    }

    @discardableResult
    private func run<Result>(
        _ body: (inout RoomServerMachine, MonoTime, inout Outbox<RoomServerMachine.Event>) -> Result
    ) -> Result {
        var out = Outbox<RoomServerMachine.Event>()
        machine.wallClock = .now()
        let result = body(&machine, .now(), &out)
        timer?.arm(at: machine.deadline)
        for event in out.events { perform(event) }
        return result
    }

    private func perform(_ event: RoomServerMachine.Event) {
        switch event {
        case .send(let id, let bytes):
            locals[id]?.deliver(.message(bytes))
            connections[id]?.webSocket?.send(bytes)
        case .close(let id, let refusal):
            if let local = locals.removeValue(forKey: id) {
                local.deliver(.closed(refusal.reason))
                Task { [weak self] in self?.gone(id) }
            } else {
                connections[id]?.webSocket?.close(refusal.reason)
                if connections[id]?.webSocket == nil { connections[id]?.abort() }
            }
        case .abort(let id): connections[id]?.abort()
        case .roomClosed(let name): onRoomClosed?(name)
        case .invitesChanged(let name, let record): onInvitesChanged?(name, record)
        }
    }
}

/// Connections from the network.
extension RoomServer {
    private func admitsConnection() -> Bool {
        machine.accept(ConnectionID(rawValue: nextID), at: .now())
    }

    private func took(_ socket: GReference) {
        let id = makeID()
        guard let connection = AcceptedConnection(id: id, socket: socket, onGone: { [weak self] in self?.gone($0) })
        else { return gone(id) }
        connections[id] = connection
        timer?.arm(at: machine.deadline)
        watchSoon()
        if let changed = try? changedCredentials?()?.certificate() { certificate = changed }
        connection.start(certificate: certificate) { [weak self] connection, stream in
            self?.front?.serve(stream, local: connection.localAddress, remote: connection.remoteAddress)
        }
    }

    private func took(_ socket: RoomSocket, from address: UnsafeMutableRawPointer) {
        guard let connection = connections.values.first(where: { $0.remoteAddress.raw == address }) else {
            return socket.close("too late")
        }
        let id = connection.id
        connection.webSocket = socket
        socket.onMessage = { [weak self] bytes in
            guard let self else { return }
            connections[id]?.noteMessage()
            run { $0.receive(bytes.span.bytes, from: id, at: $1, into: &$2) }
            if machine.isInside(id) { connections[id]?.letIn() }
        }
        socket.onClosed = { [weak self] _ in self?.connections[id]?.webSocket = nil }
    }

    /// A message without end would be kept by libsoup for as long as its connection lives.
    private func cutEndlessMessages() {
        for connection in connections.values where connection.isEndless { connection.abort() }
        watchSoon()
    }

    private func watchSoon() {
        guard let watch, !connections.isEmpty else { return }
        let interval = Duration.milliseconds(machine.connectionCounts.outside > 0 ? 100 : 1000)
        let next = MonoTime.now() + interval
        watch.arm(at: watch.deadline.map { min($0, next) } ?? next)
    }

    private func gone(_ id: ConnectionID) {
        connections[id] = nil
        run { $0.disconnected(id, at: $1, into: &$2) }
    }
}

/// Members inside this process.
extension RoomServer {
    /// `nil`: the server was shut down.
    func attach(_ channel: LocalChannel) -> ConnectionID? {
        guard listener != nil else { return nil }
        let id = makeID()
        locals[id] = channel
        _ = machine.accept(id, isLocal: true, at: .now())
        return id
    }

    func receive(_ bytes: [UInt8], fromLocal id: ConnectionID) {
        run { $0.receive(bytes.span.bytes, from: id, at: $1, into: &$2) }
    }

    func detach(_ id: ConnectionID) {
        locals[id] = nil
        gone(id)
    }
}
