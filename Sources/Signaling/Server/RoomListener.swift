import CGLib
import Primitives
import Reactor

/// Listens on one address and decides about each connection at the moment it is accepted, before anything is read.
@EngineActor
final class RoomListener {
    private static let acceptsPerTurn = 16
    /// How long to wait when the process has no descriptor left.
    private static let exhaustedPause = Duration.milliseconds(250)

    let port: UInt16
    let isLoopback: Bool
    /// Asked for each connection; `false` closes it at once.
    private let admits: @EngineActor () -> Bool
    private let onConnection: @EngineActor (GReference) -> Void
    private let socket: GReference
    private var source: DescriptorSource?
    private var pause: EngineTimer?

    /// `onConnection` gets a `GSocket` that does not block.
    init(
        address: String, port: UInt16, requiresLoopback: Bool, admits: @escaping @EngineActor () -> Bool,
        onConnection: @escaping @EngineActor (GReference) -> Void
    ) throws(RoomServerError) {
        guard let parsed = g_inet_socket_address_new_from_string(address, guint(port)) else {
            throw .notAnAddress(address)
        }
        let local = GReference(owning: UnsafeMutableRawPointer(parsed))
        let inet = g_inet_socket_address_get_address(local.typed())
        isLoopback = g_inet_address_get_is_loopback(inet) != 0
        guard isLoopback || !requiresLoopback else { throw .plainBeyondLoopback(address) }
        socket = try Self.listen(on: local, named: "\(address):\(port)")
        self.port = Self.port(of: socket)
        self.admits = admits
        self.onConnection = onConnection
        source = DescriptorSource(g_socket_get_fd(socket.typed()), .readable) { [weak self] _ in self?.accept() }
        pause = EngineTimer { [weak self] in self?.source?.watch(.readable) }
    }

    isolated deinit {
        source = nil
        g_socket_close(socket.typed(), nil)
    }

    private static func listen(on address: GReference, named name: String) throws(RoomServerError) -> GReference {
        var error: UnsafeMutablePointer<GError>?
        let family = g_socket_address_get_family(address.typed())
        guard let made = g_socket_new(family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error) else {
            throw .cannotListen(address: name, reason: GLibError("g_socket_new", taking: error).message)
        }
        let socket = GReference(owning: UnsafeMutableRawPointer(made))
        g_socket_set_blocking(made, 0)
        g_socket_set_listen_backlog(made, 128)
        guard g_socket_bind(made, address.typed(), 1, &error) != 0, g_socket_listen(made, &error) != 0 else {
            throw .cannotListen(address: name, reason: GLibError("g_socket_bind", taking: error).message)
        }
        return socket
    }

    private static func port(of socket: GReference) -> UInt16 {
        guard let address = g_socket_get_local_address(socket.typed(), nil) else { return 0 }
        let held = GReference(owning: UnsafeMutableRawPointer(address))
        return g_inet_socket_address_get_port(held.typed())
    }

    private func accept() {
        for _ in 0..<Self.acceptsPerTurn {
            var error: UnsafeMutablePointer<GError>?
            guard let accepted = g_socket_accept(socket.typed(), nil, &error) else {
                return stop(for: GLibError("g_socket_accept", taking: error))
            }
            let connection = GReference(owning: UnsafeMutableRawPointer(accepted))
            guard admits() else {
                g_socket_close(connection.typed(), nil)
                continue
            }
            g_socket_set_blocking(connection.typed(), 0)
            onConnection(connection)
        }
    }

    /// Without a free descriptor the waiting connection stays readable, and the loop would spin.
    private func stop(for error: GLibError) {
        guard error.code == Int32(G_IO_ERROR_TOO_MANY_OPEN_FILES.rawValue) else { return }
        Log.warning("room", "cannot accept: \(error.message); trying again in 250 ms")
        source?.watch([])
        pause?.arm(after: Self.exhaustedPause)
    }
}
