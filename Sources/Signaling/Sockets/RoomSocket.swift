import CGLib
import CSoup
import Primitives
import Reactor

/// One WebSocket of the room protocol, of either side, from the moment it stands.
@EngineActor
final class RoomSocket {
    /// Beyond this libsoup itself breaks the connection off; below it the machines refuse with a reason.
    var payloadByteLimit: guint64 = 192 * 1024 {
        didSet { soup_websocket_connection_set_max_incoming_payload_size(connection.opaque, payloadByteLimit) }
    }

    /// Called with each message.
    var onMessage: (@EngineActor ([UInt8]) -> Void)?
    /// Called once when the connection is gone, with one line for a person.
    var onClosed: (@EngineActor (String) -> Void)?

    private let connection: GReference
    private var signals: [GSignalConnection] = []
    private var failure: String?

    /// Takes over the caller's reference: without one libsoup closes the connection.
    init(owning socket: OpaquePointer) {
        connection = GReference(owning: socket)
        soup_websocket_connection_set_max_incoming_payload_size(socket, payloadByteLimit)
        let message: @convention(c) (OpaquePointer?, gint, OpaquePointer?, gpointer?) -> Void = socketMessage
        let error: @convention(c) (OpaquePointer?, UnsafeMutablePointer<GError>?, gpointer?) -> Void = socketError
        let closed: @convention(c) (OpaquePointer?, gpointer?) -> Void = socketClosed
        signals = [
            GSignalConnection(connection, "message", owner: self, handler: message),
            GSignalConnection(connection, "error", owner: self, handler: error),
            GSignalConnection(connection, "closed", owner: self, handler: closed),
        ]
    }

    var isOpen: Bool {
        soup_websocket_connection_get_state(connection.opaque) == SOUP_WEBSOCKET_STATE_OPEN
    }

    /// Queues one text message; does nothing when the connection is closing.
    func send(_ bytes: [UInt8]) {
        guard isOpen else { return }
        let message = g_bytes_new(bytes, gsize(bytes.count))
        soup_websocket_connection_send_message(connection.opaque, SOUP_WEBSOCKET_DATA_TEXT, message)
        g_bytes_unref(message)
    }

    /// Closes after what is queued.
    func close(_ reason: String) {
        guard isOpen else { return }
        // A control frame carries 125 bytes, two of them the code (RFC 6455, section 5.5).
        let text = reason.cleaned(limit: 120)
        soup_websocket_connection_close(connection.opaque, gushort(SOUP_WEBSOCKET_CLOSE_NORMAL.rawValue), text)
    }

    fileprivate func took(_ bytes: [UInt8]) {
        onMessage?(bytes)
    }

    fileprivate func failed(_ reason: String) {
        failure = reason
    }

    fileprivate func closed() {
        guard let onClosed else { return }
        self.onClosed = nil
        onMessage = nil
        onClosed(failure ?? closeReason)
    }

    private var closeReason: String {
        let code = soup_websocket_connection_get_close_code(connection.opaque)
        let data = soup_websocket_connection_get_close_data(connection.opaque)
        let text = data.map { String(cString: $0).cleaned(limit: 255) } ?? ""
        if !text.isEmpty { return text }
        return code == 0 ? "the connection broke" : "the other side closed the connection (code \(code))"
    }
}

private func socketMessage(_: OpaquePointer?, _: gint, _ message: OpaquePointer?, _ data: gpointer?) {
    guard let socket = CallbackTarget.owner(of: data, as: RoomSocket.self) else { return }
    var count: gsize = 0
    let start = g_bytes_get_data(message, &count)
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
    EngineActor.assumeIsolated { socket.took(bytes) }
}

private func socketError(_: OpaquePointer?, _ error: UnsafeMutablePointer<GError>?, _ data: gpointer?) {
    guard let socket = CallbackTarget.owner(of: data, as: RoomSocket.self) else { return }
    let reason = error.map { String(cString: $0.pointee.message).cleaned(limit: 255) } ?? "the connection failed"
    EngineActor.assumeIsolated { socket.failed(reason) }
}

private func socketClosed(_: OpaquePointer?, _ data: gpointer?) {
    guard let socket = CallbackTarget.owner(of: data, as: RoomSocket.self) else { return }
    EngineActor.assumeIsolated { socket.closed() }
}
