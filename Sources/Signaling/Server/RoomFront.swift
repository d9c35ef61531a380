import CGLib
import CSoup
import Reactor

/// What is spoken over an accepted connection: HTTP with one small page, and the room's WebSocket.
@EngineActor
final class RoomFront {
    private let server: GReference
    /// Where the page may come from beside this server's own address, such as `https://rooms.example`.
    var origins: Set<String> = []
    private let onWebSocket: @EngineActor (UnsafeMutableRawPointer, RoomSocket) -> Void

    /// `onWebSocket` gets the remote address object that `serve` was given, and the socket.
    init(onWebSocket: @escaping @EngineActor (UnsafeMutableRawPointer, RoomSocket) -> Void) {
        self.onWebSocket = onWebSocket
        // `soup_server_new` is variadic.
        server = GReference(
            owning: UnsafeMutableRawPointer(g_object_new_with_properties(soup_server_get_type(), 0, nil, nil)))
        let soup = server.typed(as: SoupServer.self)
        // Compression would let a small message grow without bound.
        soup_server_remove_websocket_extension(soup, soup_websocket_extension_deflate_get_type())
        soup_server_add_early_handler(soup, nil, refuseBodies, nil, nil)
        soup_server_add_handler(soup, nil, servePage, nil, nil)
        soup_server_add_early_handler(
            soup, RoomProtocol.path, refuseForeignPages, CallbackTarget(self).retainedPointer(), releaseFront)
        soup_server_add_websocket_handler(
            soup, RoomProtocol.path, nil, nil, takeWebSocket, CallbackTarget(self).retainedPointer(),
            releaseFront)
    }

    /// Serves one stream until it ends.
    func serve(_ stream: GReference, local: GReference, remote: GReference) {
        soup_server_accept_iostream(server.typed(), stream.typed(), local.typed(), remote.typed(), nil)
    }

    /// Whether a page of this origin may open the WebSocket (RFC 6455, section 10.2). Who is no browser names none.
    fileprivate func admits(origin: String?, host: String?) -> Bool {
        guard let origin else { return true }
        if origins.contains(origin) { return true }
        return ["https://", "http://"].contains { scheme in host.map { origin == scheme + $0 } ?? false }
    }

    fileprivate func took(_ socket: OpaquePointer, from address: UnsafeMutableRawPointer) {
        onWebSocket(address, RoomSocket(owning: socket))
    }
}

/// Nothing here takes a body; one that comes is read away and not kept.
private func refuseBodies(
    _: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _: UnsafePointer<CChar>?, _: OpaquePointer?,
    _: gpointer?
) {
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    let method = soup_server_message_get_method(message).map { String(cString: $0) }
    if method != "GET", method != "HEAD" {
        soup_server_message_set_status(message, guint(SOUP_STATUS_METHOD_NOT_ALLOWED.rawValue), nil)
    }
}

private func servePage(
    _: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _: OpaquePointer?, _: gpointer?
) {
    let headers = soup_server_message_get_response_headers(message)
    for (name, value) in RoomPage.headers { soup_message_headers_replace(headers, name, value) }
    guard let file = path.flatMap({ RoomPage.file(at: String(cString: $0)) }) else {
        return soup_server_message_set_status(message, guint(SOUP_STATUS_NOT_FOUND.rawValue), nil)
    }
    soup_server_message_set_status(message, guint(SOUP_STATUS_OK.rawValue), nil)
    soup_server_message_set_response(
        message, file.type, SOUP_MEMORY_COPY, file.bytes, gsize(file.bytes.count))
}

/// A page from elsewhere must not speak for the person who looks at it.
private func refuseForeignPages(
    _ server: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ query: OpaquePointer?, _ data: gpointer?
) {
    refuseBodies(server, message, path, query, nil)
    guard let front = CallbackTarget.owner(of: data, as: RoomFront.self) else { return }
    let headers = soup_server_message_get_request_headers(message)
    let origin = soup_message_headers_get_one(headers, "Origin").map { String(cString: $0) }
    let host = soup_message_headers_get_one(headers, "Host").map { String(cString: $0) }
    let isAdmitted = EngineActor.assumeIsolated { front.admits(origin: origin, host: host) }
    guard !isAdmitted else { return }
    soup_server_message_set_status(message, guint(SOUP_STATUS_FORBIDDEN.rawValue), "Not a page of this host")
}

private func takeWebSocket(
    _: UnsafeMutablePointer<SoupServer>?, _ message: OpaquePointer?, _: UnsafePointer<CChar>?,
    _ connection: OpaquePointer?, _ data: gpointer?
) {
    guard let front = CallbackTarget.owner(of: data, as: RoomFront.self), let connection,
        let address = soup_server_message_get_remote_address(message)
    else { return }
    g_object_ref(UnsafeMutableRawPointer(connection))
    EngineActor.assumeIsolated(with: (connection, UnsafeMutableRawPointer(address))) { front.took($0.0, from: $0.1) }
}

private func releaseFront(_ data: gpointer?) {
    CallbackTarget.release(data)
}
