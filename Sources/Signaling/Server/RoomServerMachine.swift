package import Primitives

/// The server of rooms as a machine: connections' messages and the time go in; messages to send and connections to
/// close come out.
///
/// It knows a connection from the moment it is accepted, so that those that are not let in can be counted and bounded.
/// All of its output is in `Outbox.events`. A seat outlives its connection for `RoomLimits.awayTime`: whoever comes
/// back with the same identity and session is the same member, and is given what came for it meanwhile.
package struct RoomServerMachine {
    package enum Event: Hashable, Sendable {
        case send(ConnectionID, [UInt8])
        /// Send all that is queued, then say goodbye with this reason; report `disconnected` when it is gone.
        case close(ConnectionID, Refusal)
        /// Cut it off now; report `disconnected`.
        case abort(ConnectionID)
        /// The room has ended; its members have been told.
        case roomClosed(RoomName)
        /// This has to be kept.
        case invitesChanged(RoomName, InviteBook.Record)
    }

    package internal(set) var counters = RoomServerCounters()
    /// The time of day; the driver sets it before each call.
    package var wallClock = WallClock(unixSeconds: 0, at: .zero)
    let limits: RoomLimits
    /// Names this start of the server in `Welcome.server`.
    let instance: String
    var connections: [ConnectionID: ServerConnection] = [:]
    var rooms: [String: ServerRoom] = [:]

    /// `instance` is drawn at random by the owner, 1…64 printable characters.
    package init(instance: String, limits: RoomLimits = RoomLimits()) {
        self.instance = instance
        self.limits = limits
    }

    /// Opens a room. `false`: one of this name is open already.
    package mutating func open(_ configuration: RoomConfiguration) -> Bool {
        guard rooms[configuration.name.text] == nil else { return false }
        rooms[configuration.name.text] = ServerRoom(configuration: configuration)
        return true
    }

    /// Tells everyone why and closes the room.
    package mutating func close(
        _ name: RoomName, reason: String, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard let room = rooms.removeValue(forKey: name.text) else { return }
        let reason = reason.cleaned(limit: 255)
        let applicants = room.waiters + room.knockers
        for connection in room.members.compactMap(\.connection) + applicants.map(\.connection) {
            send(.closing(reason: reason), to: connection, into: &out)
            end(connection, with: Refusal(.roomClosed, reason), at: now, into: &out)
        }
        out.emit(.roomClosed(name))
    }

    /// A connection was accepted. `false`: too many are outside already, and this one must be closed at once; the
    /// machine does not know it. A local one, from this process, is always taken.
    package mutating func accept(_ id: ConnectionID, isLocal: Bool = false, at now: MonoTime) -> Bool {
        guard isLocal || connections.values.count(where: \.isOutside) < limits.unauthenticated else {
            counters.refusedAtAccept += 1
            return false
        }
        counters.accepted += 1
        connections[id] = ServerConnection(isLocal: isLocal, limits: limits, at: now)
        return true
    }

    /// A connection is gone, for whatever reason.
    package mutating func disconnected(_ id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        switch connection.phase {
        case .unauthenticated: counters.refused += 1
        case .closing: return
        case .waiting(let room, let member): removeWaiter(member, from: room, connection: id, into: &out)
        case .knocking(let room, let member, _): removeKnocker(member, from: room, as: .gone, at: now, into: &out)
        case .member(let room, let member): setAway(member, in: room, connection: id, at: now)
        }
    }

    /// Takes one message of a connection.
    package mutating func receive(
        _ message: RawSpan, from id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        guard let connection = connections[id] else { return }
        if case .closing = connection.phase { return }
        guard isWithinRate(id, byteCount: message.byteCount, at: now) else {
            counters.droppedForRate += 1
            let reason = "more than \(Int(limits.messagesPerSecond)) messages a second; send less and come back"
            drop(id, with: Refusal(.rate, reason), as: .misbehaved, at: now, into: &out)
            return
        }
        connections[id]?.lastHeard = now
        do throws(RoomMessageError) {
            handle(try RoomProtocol.decode(ClientMessage.self, from: message), from: id, at: now, into: &out)
        } catch {
            refuse(error, from: id, at: now, into: &out)
        }
    }

    /// Takes the passing of time. Afterwards `deadline` is `nil` or later than `now`.
    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        for id in connections.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            tick(connection: id, at: now, into: &out)
        }
        for name in rooms.keys.sorted() {
            let gone = rooms[name]?.members.filter { $0.awayUntil.map { $0 <= now } ?? false } ?? []
            for member in gone {
                remove(member.publicly.id, from: name, reason: .lost, at: now, into: &out)
            }
            tickStays(in: name, at: now, into: &out)
        }
    }

    /// When `tick` is wanted next.
    package var deadline: MonoTime? {
        let ofConnections = connections.values.lazy.compactMap { $0.deadline(limits: limits) }.min()
        let ofMembers = rooms.values.lazy.flatMap(\.members).compactMap(\.awayUntil).min()
        let ofStays = rooms.values.lazy.compactMap { stayDeadline(in: $0) }.min()
        return earlier(earlier(ofConnections, ofMembers), ofStays)
    }

    /// How many connections are known, and how many of them have not been let in.
    package var connectionCounts: (all: Int, outside: Int) {
        (connections.count, connections.values.count(where: \.isOutside))
    }

    /// Whether a connection is that of somebody who was let in.
    func isInside(_ id: ConnectionID) -> Bool {
        switch connections[id]?.phase {
        case .member, .waiting: true
        case .unauthenticated, .knocking, .closing, nil: false
        }
    }

    /// Everyone in a room, in the order of joining, those included whose connection broke a moment ago.
    package func members(of name: RoomName) -> [RoomMember] {
        rooms[name.text]?.members.map(\.publicly) ?? []
    }

    private mutating func isWithinRate(_ id: ConnectionID, byteCount: Int, at now: MonoTime) -> Bool {
        guard var connection = connections[id], !connection.isLocal else { return true }
        defer { connections[id] = connection }
        return connection.messages.take(1, at: now) && connection.bytes.take(Double(byteCount), at: now)
    }

    private mutating func tick(connection id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard let connection = connections[id], let deadline = connection.deadline(limits: limits), deadline <= now
        else { return }
        switch connection.phase {
        case .closing:
            connections[id]?.phase = .closing(until: now + limits.closingTime)
            out.emit(.abort(id))
        case .unauthenticated:
            counters.refused += 1
            let reason = "no hello within \(Int(limits.helloTime.seconds)) s"
            end(id, with: Refusal(.tooLate, reason), at: now, into: &out)
        case .knocking(let room, let person, _):
            removeKnocker(person, from: room, as: .unanswered, at: now, into: &out)
            let reason = "no host answered within \(Int(answerSeconds(in: room))) s; try again later"
            end(id, with: Refusal(.noAnswer, reason), at: now, into: &out)
        case .member, .waiting:
            if connection.lastHeard + limits.silenceTime <= now {
                cut(id, at: now, into: &out)
            } else {
                ping(id, at: now, into: &out)
            }
        }
    }

    /// A connection that says nothing is broken: its member is away, and may come back.
    private mutating func cut(_ id: ConnectionID, at now: MonoTime, into out: inout Outbox<Event>) {
        guard var connection = connections[id] else { return }
        disconnected(id, at: now, into: &out)
        connection.phase = .closing(until: now + limits.closingTime)
        connections[id] = connection
        out.emit(.abort(id))
    }
}
