import Reactor

/// A way to a room's server: a WebSocket, or inside the hosting process nothing but a queue.
@EngineActor
protocol RoomChannel: AnyObject {
    /// Makes a connection. `onEvent` is never called before this returns.
    func open(_ onEvent: @escaping @EngineActor (RoomChannelEvent) -> Void)

    func send(_ bytes: [UInt8])

    /// Closes after what is queued; no event follows.
    func close()
}

enum RoomChannelEvent {
    case opened
    case message([UInt8])
    /// Failed or ended; one line for a person.
    case closed(String)
}
