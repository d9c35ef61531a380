import CGLib
import Glibc
import Reactor

/// A way to a STUN or TURN server: datagrams, TCP, or TLS over TCP.
@EngineActor
final class ServerStream {
    /// The `GIOStream`.
    let stream: GReference
    /// Whether what is sent arrives, and its bounds get lost.
    let isReliable: Bool
    private let cancellation: Cancellation
    private var unread: [UInt8] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 2048, alignment: 1)

    private init(_ stream: GReference, isReliable: Bool, _ cancellation: Cancellation) {
        self.stream = stream
        self.isReliable = isReliable
        self.cancellation = cancellation
    }

    isolated deinit {
        buffer.deallocate()
    }

    /// Connects, and for TLS shakes hands; the certificate must be one of the server's host.
    ///
    /// - Parameters:
    ///   - address: the server's, in numbers.
    ///   - cancellation: ends this, and what is read and written later.
    static func connect(
        to server: ICEServer, at address: String, authorities: TLSAuthorities, _ cancellation: Cancellation
    ) async throws(ICEServerFailure) -> ServerStream {
        do throws(ICEServerFailure.Reason) {
            var stream = try await connectSocket(to: server, at: address, cancellation)
            if server.transport == .tls {
                stream = try TLSHandshake.secure(stream, server, authorities: try await authorities.database())
                try await TLSHandshake.perform(on: stream, cancellation)
            }
            return ServerStream(stream, isReliable: server.transport != .udp, cancellation)
        } catch {
            throw ICEServerFailure(server, cancellation.isCancelled ? .silent : error)
        }
    }

    /// Writes all of it.
    func write(_ bytes: [UInt8]) async throws(ICEServerFailure.Reason) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        defer { copy.deallocate() }
        let output = g_io_stream_get_output_stream(stream.typed())
        let result = await GIOOperation.result { callback, data in
            g_output_stream_write_all_async(
                output, copy.baseAddress, gsize(copy.count), G_PRIORITY_DEFAULT, cancellation.pointer, callback, data)
        }
        var error: UnsafeMutablePointer<GError>?
        guard g_output_stream_write_all_finish(output, result.opaque, nil, &error) != 0 else {
            throw reason(GLibError("g_output_stream_write_all", taking: error))
        }
    }

    /// Reads one STUN message, or one datagram whatever it is.
    func readMessage() async throws(ICEServerFailure.Reason) -> [UInt8] {
        while true {
            if let count = STUNCodec.length(of: unread) {
                defer { unread.removeFirst(count) }
                return Array(unread[..<count])
            }
            guard unread.count < buffer.count else { throw .nonsense }
            let bytes = try await read()
            guard isReliable else { return bytes }
            unread += bytes
        }
    }

    private func read() async throws(ICEServerFailure.Reason) -> [UInt8] {
        let input = g_io_stream_get_input_stream(stream.typed())
        let result = await GIOOperation.result { callback, data in
            g_input_stream_read_async(
                input, buffer.baseAddress, gsize(buffer.count), G_PRIORITY_DEFAULT, cancellation.pointer, callback, data
            )
        }
        var error: UnsafeMutablePointer<GError>?
        let count = g_input_stream_read_finish(input, result.opaque, &error)
        guard count >= 0 else { throw reason(GLibError("g_input_stream_read", taking: error)) }
        guard count > 0 || !isReliable else { throw .unreachable("it closed the connection") }
        return Array(buffer[..<count])
    }

    private func reason(_ error: GLibError) -> ICEServerFailure.Reason {
        cancellation.isCancelled ? .silent : .unreachable(error.message)
    }

    private static func connectSocket(
        to server: ICEServer, at address: String, _ cancellation: Cancellation
    ) async throws(ICEServerFailure.Reason) -> GReference {
        let place = g_inet_socket_address_new_from_string(address, guint(server.port))
        guard let place else { throw .unknownName }
        let target = GReference(owning: UnsafeMutableRawPointer(place))
        let client = GReference(owning: UnsafeMutableRawPointer(g_socket_client_new()))
        let isUDP = server.transport == .udp
        g_socket_client_set_socket_type(client.typed(), isUDP ? G_SOCKET_TYPE_DATAGRAM : G_SOCKET_TYPE_STREAM)
        g_socket_client_set_protocol(client.typed(), isUDP ? G_SOCKET_PROTOCOL_UDP : G_SOCKET_PROTOCOL_TCP)
        g_socket_client_set_enable_proxy(client.typed(), 0)
        let result = await GIOOperation.result { callback, data in
            g_socket_client_connect_async(
                client.typed(), OpaquePointer(target.raw), cancellation.pointer, callback, data)
        }
        var error: UnsafeMutablePointer<GError>?
        let connection = g_socket_client_connect_finish(client.typed(), result.opaque, &error)
        guard let connection else { throw .unreachable(GLibError("g_socket_client_connect", taking: error).message) }
        if !isUDP { ServerStream.sendAtOnce(connection) }
        return GReference(owning: UnsafeMutableRawPointer(connection))
    }

    /// Switches off that small packets wait for each other.
    static func sendAtOnce(_ connection: UnsafeMutablePointer<GSocketConnection>) {
        g_socket_set_option(g_socket_connection_get_socket(connection), Int32(IPPROTO_TCP), TCP_NODELAY, 1, nil)
    }
}
