package import Primitives

/// A client of a room as a machine: it says hello, keeps the roster, answers pings, notices a dead server, comes back,
/// and rings.
///
/// `receive` takes the server's messages, `Outbox.datagrams` are messages for it. The driver sends the datagrams of a
/// call before it acts on the events of the same call.
package struct RoomClientMachine: Machine {
    package enum Event: Hashable, Sendable {
        /// Open a connection, then call `connected` or `disconnected`.
        case connect
        /// Close the connection after what is queued. `disconnected` need not be called, and does nothing.
        case disconnect
        case room(RoomEvent)
    }

    /// The bounds that a client keeps.
    package struct Limits: Hashable, Sendable {
        /// For the connection, and then for the answer to `hello`.
        package var connectTime: Duration = .seconds(10)
        /// A server that says nothing for so long is asked.
        package var pingInterval: Duration = .seconds(2)
        /// How long the server may say nothing until the connection counts as interrupted, until it counts as lost and
        /// is made anew, and until we give up (FEATURES A5.9).
        package var interruptedTime: Duration = .seconds(4)
        package var lostTime: Duration = .seconds(10)
        package var patience: Duration = .seconds(20 * 60)
        /// How long the server may take to answer after our network has changed.
        package var doubtTime: Duration = .milliseconds(1500)
        /// How long members may take to come back to a server that was started anew.
        package var returnTime: Duration = .seconds(20)
        /// What is kept for sending while the connection is broken, in messages.
        package var unsentMessages = 256
        /// How often in a row a room may refuse us when we come back.
        package var refusalsOnReturn = 5

        package init() {}
    }

    enum State {
        case idle
        case connecting(until: MonoTime)
        /// `hello` is said.
        case greeting(until: MonoTime)
        /// In the lobby: a host is asked.
        case knocking
        case inside
        case backingOff(until: MonoTime)
        case over
    }

    /// How long the way to the server has been broken, in steps.
    enum Outage {
        case none
        case interrupted
        case lost
    }

    let limits: Limits
    var state = State.idle
    /// Said at each connection.
    var hello: Hello
    var backoff: Backoff
    var roster = RoomRoster()
    /// What the server said first; `nil` until then.
    var welcome: Welcome?
    var lastHeard = MonoTime.zero
    /// When the server last spoke to us as to someone inside.
    var lastInside = MonoTime.zero
    var outage = Outage.none
    var lastPing = MonoTime.zero
    /// Until when the server has to answer, since our network has changed.
    var doubtEnd: MonoTime?
    var pingNumber = 0
    var refusalCount = 0
    var lastStatus: MemberStatus?
    /// A token that the server has not yet taken in place of the one in `hello`.
    var presented: String?
    var unsent: [ClientMessage] = []
    var outgoing: [RingMachine] = []
    var incoming = IncomingRingMachine()
    let ringSettings: RingSettings
    /// Messages of the server that were no messages.
    package internal(set) var malformedCount = 0
    /// Messages that were not kept while the connection was broken.
    package internal(set) var unsentDropCount = 0

    /// `random` spreads the attempts to come back.
    package init(
        hello: Hello, random: SplitMix64, rings: RingSettings = RingSettings(), limits: Limits = Limits()
    ) {
        self.hello = hello
        self.limits = limits
        ringSettings = rings
        backoff = Backoff(random: random)
    }

    /// Our id; `nil` until the first welcome.
    package var id: MemberID? {
        welcome?.id
    }

    /// Everyone else in the call.
    package var members: [RoomMember] {
        roster.members
    }

    package var isInside: Bool {
        if case .inside = state { true } else { false }
    }

    package var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// Begins.
    package mutating func start(at now: MonoTime, into out: inout Outbox<Event>) {
        guard case .idle = state else { return }
        connect(at: now, into: &out)
    }

    /// The connection stands.
    package mutating func connected(at now: MonoTime, into out: inout Outbox<Event>) {
        guard case .connecting = state else { return }
        state = .greeting(until: now + limits.connectTime)
        out.send(RoomProtocol.encode(ClientMessage.hello(hello)))
    }

    /// The connection broke, or could not be made; `reason` is one line for a person.
    package mutating func disconnected(_ reason: String, at now: MonoTime, into out: inout Outbox<Event>) {
        switch state {
        case .connecting, .greeting, .knocking, .inside: retry(reason, at: now, into: &out)
        case .idle, .backingOff, .over: return
        }
    }

    /// Says something to one member, or to all. While the connection is broken it is kept, except reports, which would
    /// be stale.
    package mutating func send(_ message: PeerMessage, to member: MemberID?, into out: inout Outbox<Event>) {
        if case .status(let status) = message { lastStatus = status }
        if isInside {
            out.send(RoomProtocol.encode(ClientMessage.relay(to: member, message)))
            return
        }
        switch message {
        case .status, .report: return
        case .description, .candidate, .view, .limit, .commitment, .reveal: keep(.relay(to: member, message))
        }
    }

    /// Comes into the call after waiting; `welcome` follows.
    package mutating func enter(into out: inout Outbox<Event>) {
        guard hello.intent == .wait else { return }
        hello.intent = .join
        if isInside { out.send(RoomProtocol.encode(ClientMessage.enter)) }
    }

    /// Says what a host decides, or asks for more time. `false`: the way to the server is broken.
    package mutating func say(_ message: ClientMessage, into out: inout Outbox<Event>) -> Bool {
        guard isInside else { return false }
        if case .renew(let token?) = message { presented = token }
        out.send(RoomProtocol.encode(message))
        return true
    }

    /// Says goodbye, and as a host may close the room.
    package mutating func leave(closing: Bool = false, into out: inout Outbox<Event>) {
        guard !isOver else { return }
        for index in outgoing.indices { hangUp(index, into: &out) }
        switch state {
        case .inside, .knocking: out.send(RoomProtocol.encode(ClientMessage.leave(closes: closing)))
        case .idle, .connecting, .greeting, .backingOff, .over: break
        }
        finish(.left, into: &out)
    }

    package mutating func receive(_ message: RawSpan, at now: MonoTime, into out: inout Outbox<Event>) {
        guard !isOver else { return }
        noteHeard(at: now, into: &out)
        do throws(RoomMessageError) {
            handle(try RoomProtocol.decode(ServerMessage.self, from: message), at: now, into: &out)
        } catch {
            malformedCount += 1
        }
    }

    package mutating func tick(at now: MonoTime, into out: inout Outbox<Event>) {
        switch state {
        case .connecting(let until) where until <= now, .greeting(let until) where until <= now:
            out.emit(.disconnect)
            retry("no answer within \(Int(limits.connectTime.seconds)) s", at: now, into: &out)
        case .backingOff(let until) where until <= now:
            connect(at: now, into: &out)
        case .inside where lastHeard + limits.lostTime <= now, .knocking where lastHeard + limits.lostTime <= now:
            tickOutage(at: now, into: &out)
            out.emit(.disconnect)
            retry("nothing heard for \(Int(limits.lostTime.seconds)) s", at: now, into: &out)
        case .inside where isDoubtOver(at: now), .knocking where isDoubtOver(at: now):
            doubtEnd = nil
            out.emit(.disconnect)
            retry("it does not answer in the new network", at: now, into: &out)
        case .inside where pingDue <= now, .knocking where pingDue <= now:
            ping(at: now, into: &out)
        default: break
        }
        tickOutage(at: now, into: &out)
        guard !isOver else { return }
        for id in roster.expire(at: now) { out.emit(.room(.memberLeft(id, .notReturned))) }
        tickRings(at: now, into: &out)
    }

    package var deadline: MonoTime? {
        let own: MonoTime? =
            switch state {
            case .idle, .over: nil
            case .connecting(let until), .greeting(let until), .backingOff(let until): until
            case .inside, .knocking: earlier(doubtEnd, min(pingDue, lastHeard + limits.lostTime))
            }
        guard !isOver else { return nil }
        return earlier(earlier(own, outageDeadline), earlier(roster.deadline, ringDeadline))
    }
}
