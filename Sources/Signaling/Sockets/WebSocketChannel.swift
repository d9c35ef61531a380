import CGLib
import CSoup
import Primitives
import Reactor

/// A way to a room's server over the network.
@EngineActor
final class WebSocketChannel: RoomChannel {
    private let link: RoomLink
    private let session: GReference
    private var attempt: Attempt?
    private var socket: RoomSocket?
    private var onEvent: (@EngineActor (RoomChannelEvent) -> Void)?

    init(link: RoomLink) {
        self.link = link
        let session = GReference(owning: UnsafeMutableRawPointer(soup_session_new()))
        soup_session_set_proxy_resolver(session.typed(), nil)
        // Compression would let a small message grow without bound.
        soup_session_remove_feature_by_type(session.typed(), soup_websocket_extension_manager_get_type())
        // A pinned certificate needs no authorities, and to read them takes longer than the engine may.
        if link.fingerprint != nil { soup_session_set_tls_database(session.typed(), nil) }
        self.session = session
    }

    func open(_ onEvent: @escaping @EngineActor (RoomChannelEvent) -> Void) {
        closeNow()
        self.onEvent = onEvent
        attempt = Attempt(link: link, session: session) { [weak self] result in self?.finish(result) }
    }

    func send(_ bytes: [UInt8]) {
        socket?.send(bytes)
    }

    func close() {
        attempt = nil
        onEvent = nil
        guard let closing = socket else { return }
        socket = nil
        closing.close("goodbye")
        Self.linger(closing, session)
    }

    private func closeNow() {
        attempt = nil
        socket = nil
    }

    private func finish(_ result: Result<RoomSocket, WebSocketFailure>) {
        attempt = nil
        switch result {
        case .success(let socket):
            self.socket = socket
            socket.onMessage = { [weak self] in self?.onEvent?(.message($0)) }
            socket.onClosed = { [weak self] in self?.ended($0) }
            onEvent?(.opened)
        case .failure(let failure):
            ended(failure.reason)
        }
    }

    private func ended(_ reason: String) {
        socket = nil
        onEvent?(.closed(reason))
    }

    /// Keeps a socket that is closing until its goodbye is out, for 2 s at most.
    private static func linger(_ socket: RoomSocket, _ session: GReference) {
        var timer: EngineTimer?
        timer = EngineTimer {
            withExtendedLifetime((socket, session)) { timer = nil }
        }
        socket.onMessage = nil
        socket.onClosed = { _ in timer?.arm(at: .now()) }
        timer?.arm(after: .seconds(2))
    }
}

/// Why no WebSocket stands; one line for a person.
struct WebSocketFailure: Error {
    let reason: String
}

/// One attempt to connect; dropping it cancels it.
@EngineActor
private final class Attempt {
    private let link: RoomLink
    private let message: GReference
    private let cancellable: GReference
    private var signal: GSignalConnection?
    private var certificateFailure: String?
    private let onEnd: @EngineActor (Result<RoomSocket, WebSocketFailure>) -> Void

    init(
        link: RoomLink, session: GReference,
        onEnd: @escaping @EngineActor (Result<RoomSocket, WebSocketFailure>) -> Void
    ) {
        self.link = link
        self.onEnd = onEnd
        message = GReference(owning: soup_message_new("GET", link.socketAddress))
        cancellable = GReference(owning: UnsafeMutableRawPointer(g_cancellable_new()))
        let accept:
            @convention(c) (OpaquePointer?, UnsafeMutablePointer<GTlsCertificate>?, guint, gpointer?) -> gboolean =
                acceptCertificate
        signal = GSignalConnection(message, "accept-certificate", owner: self, handler: accept)
        soup_session_websocket_connect_async(
            session.typed(), message.opaque, nil, nil, G_PRIORITY_DEFAULT, cancellable.typed(), connectFinished,
            CallbackTarget(self).retainedPointer())
    }

    isolated deinit {
        g_cancellable_cancel(cancellable.typed())
    }

    /// Asked only about a certificate that the system does not trust.
    fileprivate func accepts(_ certificate: TLSCertificate) -> Bool {
        guard link.fingerprint != nil else {
            certificateFailure =
                "\(link.authority): this system does not trust its certificate, and the link names none; "
                + "ask for a link with a fingerprint"
            return false
        }
        return isPinned(certificate)
    }

    private func isPinned(_ certificate: TLSCertificate?) -> Bool {
        guard let pin = link.fingerprint else { return true }
        let found = certificate?.fingerprint
        guard found != pin else { return true }
        certificateFailure =
            "\(link.authority): its certificate is not the one that the link names, so someone may be in the middle; "
            + "ask the host for a new link"
        return false
    }

    fileprivate func finish(_ socket: OpaquePointer?, _ error: GLibError?) {
        guard let socket else { return onEnd(.failure(WebSocketFailure(reason: reason(error)))) }
        let owned = RoomSocket(owning: socket)
        if link.scheme == .https, !isPinned(peerCertificate) {
            owned.close("wrong certificate")
            return onEnd(.failure(WebSocketFailure(reason: reason(nil))))
        }
        onEnd(.success(owned))
    }

    /// A trusted certificate is pinned too, and `accept-certificate` is not asked about it.
    private var peerCertificate: TLSCertificate? {
        guard let certificate = soup_message_get_tls_peer_certificate(message.opaque) else { return nil }
        return TLSCertificate(GReference(retaining: UnsafeMutableRawPointer(certificate)))
    }

    private func reason(_ error: GLibError?) -> String {
        if let certificateFailure { return certificateFailure }
        return "\(link.authority): " + (error?.message ?? "cannot connect").cleaned(limit: 255)
    }
}

private func acceptCertificate(
    _: OpaquePointer?, _ certificate: UnsafeMutablePointer<GTlsCertificate>?, _: guint, _ data: gpointer?
) -> gboolean {
    guard let attempt = CallbackTarget.owner(of: data, as: Attempt.self), let certificate else { return 0 }
    return EngineActor.assumeIsolated(with: certificate) { certificate in
        let reference = GReference(retaining: UnsafeMutableRawPointer(certificate))
        return attempt.accepts(TLSCertificate(reference)) ? 1 : 0
    }
}

private func connectFinished(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
    defer { CallbackTarget.release(data) }
    var error: UnsafeMutablePointer<GError>?
    let session = UnsafeMutableRawPointer(source)?.assumingMemoryBound(to: SoupSession.self)
    let socket = soup_session_websocket_connect_finish(session, result, &error)
    let failure = socket == nil ? GLibError("soup_session_websocket_connect_async", taking: error) : nil
    guard let attempt = CallbackTarget.owner(of: data, as: Attempt.self) else {
        if let socket { g_object_unref(UnsafeMutableRawPointer(socket)) }
        return
    }
    EngineActor.assumeIsolated(with: socket) { attempt.finish($0, failure) }
}
