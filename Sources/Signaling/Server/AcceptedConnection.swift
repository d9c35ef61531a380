import CGLib
import Glibc
import Reactor

/// One accepted connection, from its socket to the end of whatever is spoken over it.
@EngineActor
final class AcceptedConnection {
    let id: ConnectionID
    /// The address object that libsoup hands back with each request: it tells whose request it is.
    let remoteAddress: GReference
    let localAddress: GReference
    var webSocket: RoomSocket?

    private let socket: GReference
    private let onGone: @EngineActor (ConnectionID) -> Void
    private var handshakeStart: DescriptorSource?
    private var receivedAtMessage: UInt64 = 0
    /// More than the longest message with its frames and records.
    private var unfinishedByteLimit: UInt64 = 512 * 1024

    /// `nil` when the peer is gone already. `onGone` is called once, when the connection's last stream is.
    init?(id: ConnectionID, socket: GReference, onGone: @escaping @EngineActor (ConnectionID) -> Void) {
        guard let remote = g_socket_get_remote_address(socket.typed(), nil),
            let local = g_socket_get_local_address(socket.typed(), nil)
        else { return nil }
        self.id = id
        self.socket = socket
        self.onGone = onGone
        remoteAddress = GReference(owning: UnsafeMutableRawPointer(remote))
        localAddress = GReference(owning: UnsafeMutableRawPointer(local))
    }

    /// Gives a stream to `onReady`: the socket's own, or with a certificate one over TLS once the handshake is done.
    /// The handshake begins when the first byte is there, since it occupies a thread of GIO's pool.
    func start(certificate: TLSCertificate?, onReady: @escaping @EngineActor (AcceptedConnection, GReference) -> Void) {
        guard let certificate else { return onReady(self, makeStream()) }
        let descriptor = g_socket_get_fd(socket.typed())
        handshakeStart = DescriptorSource(descriptor, .readable) { [weak self] _ in
            self?.handshakeStart = nil
            self?.startHandshake(certificate, onReady)
        }
    }

    /// Ends the connection; `onGone` follows.
    func abort() {
        let hadNoStream = handshakeStart != nil
        handshakeStart = nil
        g_socket_shutdown(socket.typed(), 1, 1, nil)
        if hadNoStream { onGone(id) }
    }

    /// Who was let in is told why a message is too long, even one of a megabyte; strangers are just cut off.
    func letIn() {
        webSocket?.payloadByteLimit = 1280 * 1024
        unfinishedByteLimit = 1536 * 1024
    }

    /// A whole message has come.
    func noteMessage() {
        receivedAtMessage = receivedBytes
    }

    /// Whether too much has come since the last whole message. libsoup bounds a frame, and not the message that frames
    /// make up.
    var isEndless: Bool {
        let received = receivedBytes
        return received > receivedAtMessage && received - receivedAtMessage > unfinishedByteLimit
    }

    /// What the kernel has received; 0 where it does not say (`tcpi_bytes_received`, Linux 4.1).
    private var receivedBytes: UInt64 {
        let offset = 128
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        let descriptor = g_socket_get_fd(socket.typed())
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= offset + 8 else {
            return 0
        }
        return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }

    private func makeStream() -> GReference {
        let stream = GReference(
            owning: UnsafeMutableRawPointer(g_socket_connection_factory_create_connection(socket.typed())))
        let box = Unmanaged.passRetained(Gone(id: id, report: onGone))
        g_object_weak_ref(stream.typed(), streamGone, box.toOpaque())
        return stream
    }

    private func startHandshake(
        _ certificate: TLSCertificate, _ onReady: @escaping @EngineActor (AcceptedConnection, GReference) -> Void
    ) {
        let stream = makeStream()
        guard let secured = certificate.makeServerStream(over: stream) else { return }
        let box = Unmanaged.passRetained(
            Handshake { [weak self] in
                if let self { onReady(self, secured) }
            })
        g_tls_connection_handshake_async(
            secured.typed(), G_PRIORITY_DEFAULT, nil, handshakeFinished, box.toOpaque())
    }
}

private final class Handshake {
    let succeed: @EngineActor () -> Void

    init(_ succeed: @escaping @EngineActor () -> Void) {
        self.succeed = succeed
    }
}

private final class Gone: Sendable {
    let id: ConnectionID
    let report: @EngineActor (ConnectionID) -> Void

    init(id: ConnectionID, report: @escaping @EngineActor (ConnectionID) -> Void) {
        self.id = id
        self.report = report
    }
}

private func handshakeFinished(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?) {
    guard let data else { return }
    let handshake = Unmanaged<Handshake>.fromOpaque(data).takeRetainedValue()
    let connection = UnsafeMutableRawPointer(source)?.assumingMemoryBound(to: GTlsConnection.self)
    guard g_tls_connection_handshake_finish(connection, result, nil) != 0 else { return }
    EngineActor.assumeIsolated(with: handshake) { $0.succeed() }
}

/// May be called on a thread of GIO's pool, which can be the one to drop the last reference after a handshake.
private func streamGone(_ data: gpointer?, _: UnsafeMutablePointer<GObject>?) {
    guard let data else { return }
    let gone = Unmanaged<Gone>.fromOpaque(data).takeRetainedValue()
    Task { @EngineActor in gone.report(gone.id) }
}
