import CPulse
import Glibc
import Primitives

/// The inner side of `PulseServer`. Everything is guarded by the main loop's lock: the methods take it, the callbacks
/// hold it.
final class PulseControl: PulseConnectionOwner {
    /// Changes come in bursts; one inventory answers all that come within this time.
    private static let settling = Duration.milliseconds(20)
    private static let queryCount = 6

    private let connection: PulseConnection
    private let onEvent: @Sendable (PulseServer.Event) -> Void
    private let processID = String(getpid())
    private var reader: InventoryReader
    private var pendingQueryCount = 0
    private var isStale = false
    private var last: DeviceInventory?
    /// Commands under way; libpulse holds bare pointers to them.
    private var requests: [CommandRequest] = []
    private var saysLost = true
    private var timer: OpaquePointer?
    /// What libpulse holds while callbacks can come.
    private var box: Unmanaged<PulseControl>?

    init?(identity: ApplicationIdentity, server: String?, onEvent: @escaping @Sendable (PulseServer.Event) -> Void) {
        let connection = PulseConnection(
            clientName: identity.name, threadName: identity.name + "-devices",
            properties: identity.clientProperties, server: server)
        guard let connection else { return nil }
        self.connection = connection
        self.onEvent = onEvent
        reader = InventoryReader(processID: processID)
    }

    func open() {
        guard box == nil else { return }
        box = Unmanaged.passRetained(self)
        connection.open(owner: self)
    }

    func close() {
        guard let box else { return }
        connection.locked { forget() }
        connection.close()
        self.box = nil
        box.release()
    }

    func setServer(_ server: String?) {
        connection.locked {
            forget()
            saysLost = true
            connection.reconnect(to: server)
        }
    }

    func perform(_ command: ServerCommand) {
        connection.locked {
            guard let context = connection.readyContext else { return }
            let request = CommandRequest(command, of: self)
            requests.append(request)
            guard let operation = request.start(context) else { return finish(request, succeeded: false) }
            pa_operation_unref(operation)
        }
    }

    func connectionOpened(_ context: OpaquePointer) {
        guard let box else { return }
        saysLost = true
        pa_context_set_subscribe_callback(context, serverChanged, box.toOpaque())
        let mask =
            PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            | PA_SUBSCRIPTION_MASK_CARD.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue
            | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT.rawValue
        release(pa_context_subscribe(context, pa_subscription_mask_t(rawValue: mask), nil, nil))
        query()
    }

    func connectionLost(_ reason: String) {
        forget()
        guard saysLost else { return }
        saysLost = false
        onEvent(.lost(reason))
    }

    func finish(_ request: CommandRequest, succeeded: Bool) {
        requests.removeAll { $0 === request }
        if !succeeded { onEvent(.refused(request.command, connection.errorText)) }
    }

    fileprivate func changed() {
        guard pendingQueryCount == 0 else {
            isStale = true
            return
        }
        guard timer == nil, let box else { return }
        timer = connection.schedule(after: Self.settling, queryIsDue, box.toOpaque())
    }

    /// Asks for everything. The defaults come first: a default that a removal brought is then never older than the
    /// list that lacks the removed device.
    fileprivate func query() {
        connection.cancel(timer)
        timer = nil
        guard let context = connection.readyContext, let data = box?.toOpaque(), pendingQueryCount == 0 else { return }
        reader = InventoryReader(processID: processID)
        isStale = false
        pendingQueryCount = Self.queryCount
        let operations = [
            pa_context_get_server_info(context, serverInfoArrived, data),
            pa_context_get_card_info_list(context, cardArrived, data),
            pa_context_get_sink_info_list(context, sinkArrived, data),
            pa_context_get_source_info_list(context, sourceArrived, data),
            pa_context_get_sink_input_info_list(context, sinkInputArrived, data),
            pa_context_get_source_output_info_list(context, sourceOutputArrived, data),
        ]
        for operation in operations {
            if operation == nil { finishQuery() } else { release(operation) }
        }
    }

    fileprivate func take(_ body: (inout InventoryReader) -> Void, isLast: Bool) {
        body(&reader)
        if isLast { finishQuery() }
    }

    private func finishQuery() {
        pendingQueryCount -= 1
        guard pendingQueryCount == 0 else { return }
        let inventory = reader.finished()
        if inventory != last {
            last = inventory
            onEvent(.inventory(inventory))
        }
        if isStale { changed() }
    }

    /// Forgets what is under way: after a connection is lost none of it is answered.
    private func forget() {
        requests = []
        connection.cancel(timer)
        timer = nil
        pendingQueryCount = 0
        isStale = false
        last = nil
    }

    private func release(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }
}

private func control(_ data: UnsafeMutableRawPointer?) -> PulseControl? {
    data.map { Unmanaged<PulseControl>.fromOpaque($0).takeUnretainedValue() }
}

private func serverChanged(
    _ context: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32, _ data: UnsafeMutableRawPointer?
) {
    control(data)?.changed()
}

private func queryIsDue(
    _ api: UnsafeMutablePointer<pa_mainloop_api>?, _ timer: OpaquePointer?, _ time: UnsafePointer<timeval>?,
    _ data: UnsafeMutableRawPointer?
) {
    control(data)?.query()
}

/// Hands one of a list, or its end, to the reader of the inventory.
private func arrived<Info>(
    _ info: UnsafePointer<Info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?,
    _ read: (inout InventoryReader, Info) -> Void
) {
    control(data)?.take({ if let info { read(&$0, info.pointee) } }, isLast: end != 0)
}

private func serverInfoArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ data: UnsafeMutableRawPointer?
) {
    arrived(info, 1, data) { $0.read($1) }
}

private func cardArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_card_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
    arrived(info, end, data) { $0.read($1) }
}

private func sinkArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
    arrived(info, end, data) { $0.read($1) }
}

private func sourceArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_source_info>?, _ end: Int32, _ data: UnsafeMutableRawPointer?
) {
    arrived(info, end, data) { $0.read($1) }
}

private func sinkInputArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _ end: Int32,
    _ data: UnsafeMutableRawPointer?
) {
    arrived(info, end, data) { $0.read($1) }
}

private func sourceOutputArrived(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_source_output_info>?, _ end: Int32,
    _ data: UnsafeMutableRawPointer?
) {
    arrived(info, end, data) { $0.read($1) }
}
