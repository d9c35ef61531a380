/// What a machine did during one call: datagrams to send and events to report, in order.
package struct Outbox<Event> {
    /// Datagrams to send, each whole.
    package var datagrams: [[UInt8]] = []
    /// Events for the owner.
    package var events: [Event] = []

    package init() {}

    package mutating func send(_ datagram: [UInt8]) {
        datagrams.append(datagram)
    }

    package mutating func emit(_ event: Event) {
        events.append(event)
    }

    package var isEmpty: Bool {
        datagrams.isEmpty && events.isEmpty
    }
}

/// Protocol logic as a value: bytes and a time go in; bytes, events and the next deadline come out.
///
/// A machine reads no clock, draws no random number, opens nothing and logs nothing. Only a driver calls it, and hands
/// it the outbox each time, so nothing that it produced can be forgotten.
package protocol Machine: ~Copyable {
    associatedtype Event

    /// Takes one datagram. Malformed input becomes an event or a counter; it never throws and never traps.
    mutating func receive(_ datagram: RawSpan, at now: MonoTime, into out: inout Outbox<Event>)

    /// Takes the passing of time. Afterwards `deadline` is `nil` or later than `now`.
    mutating func tick(at now: MonoTime, into out: inout Outbox<Event>)

    /// When `tick` is wanted next; `nil`: nothing is scheduled.
    var deadline: MonoTime? { get }
}
