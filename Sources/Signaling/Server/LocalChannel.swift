import Reactor

/// The way to a room's server inside the process that serves it. Both directions pass through queues that the engine
/// empties in turns of its own, as a network would, so neither side is called while it is calling.
@EngineActor
final class LocalChannel: RoomChannel {
    private weak var server: RoomServer?
    private var id: ConnectionID?
    private var onEvent: (@EngineActor (RoomChannelEvent) -> Void)?
    private var incoming: [RoomChannelEvent] = []
    private var outgoing: [[UInt8]] = []
    private var isScheduled = false
    private var closes = false

    init(server: RoomServer) {
        self.server = server
    }

    func open(_ onEvent: @escaping @EngineActor (RoomChannelEvent) -> Void) {
        self.onEvent = onEvent
        closes = false
        incoming = []
        id = server?.attach(self)
        deliver(id == nil ? .closed("the room's server is gone") : .opened)
    }

    func send(_ bytes: [UInt8]) {
        outgoing.append(bytes)
        schedule()
    }

    func close() {
        onEvent = nil
        closes = true
        schedule()
    }

    /// Takes what the server says.
    func deliver(_ event: RoomChannelEvent) {
        incoming.append(event)
        schedule()
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        Task { self.empty() }
    }

    private func empty() {
        isScheduled = false
        let (events, messages) = (incoming, outgoing)
        incoming = []
        outgoing = []
        if let id { for message in messages { server?.receive(message, fromLocal: id) } }
        for event in events { onEvent?(event) }
        if closes, outgoing.isEmpty, let id {
            self.id = nil
            server?.detach(id)
        }
    }
}
