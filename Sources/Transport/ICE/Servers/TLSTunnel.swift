import CGLib
import Primitives
import Reactor

/// TURN over TLS for libnice, which speaks it over plain TCP: a port on loopback, each of whose connections goes on to
/// the server inside TLS.
@EngineActor
final class TLSTunnel {
    /// Where libnice finds the server.
    let address: String
    let port: UInt16
    private let route: ICEServerRoute
    private let authorities: TLSAuthorities
    private var listener: GReference?
    private let cancellation = Cancellation()

    /// `nil`: no port can be listened on. `isIPv6`: for a machine without IPv4.
    init?(to route: ICEServerRoute, authorities: TLSAuthorities, isIPv6: Bool) {
        let listener = GReference(owning: UnsafeMutableRawPointer(g_socket_listener_new()))
        address = isIPv6 ? "::1" : "127.0.0.1"
        guard let port = Self.listen(listener, at: address) else { return nil }
        self.port = port
        self.route = route
        self.authorities = authorities
        self.listener = listener
        accept(listener)
    }

    isolated deinit {
        stopListening()
        cancellation.cancel()
    }

    /// Takes no more connections: the agent has made its own, and nobody else is to come through.
    func stopListening() {
        guard let listener else { return }
        g_socket_listener_close(listener.typed())
        self.listener = nil
    }

    private static func listen(_ listener: GReference, at address: String) -> UInt16? {
        guard let wanted = g_inet_socket_address_new_from_string(address, 0) else { return nil }
        defer { g_object_unref(wanted) }
        var effective: UnsafeMutablePointer<GSocketAddress>?
        guard
            g_socket_listener_add_address(
                listener.typed(), wanted, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, nil, &effective, nil) != 0,
            let effective
        else { return nil }
        defer { g_object_unref(effective) }
        let place = UnsafeMutableRawPointer(effective).assumingMemoryBound(to: GInetSocketAddress.self)
        return g_inet_socket_address_get_port(place)
    }

    private func accept(_ listener: GReference) {
        Task { [weak self, cancellation] in
            while !cancellation.isCancelled {
                let result = await GIOOperation.result { callback, data in
                    g_socket_listener_accept_async(listener.typed(), cancellation.pointer, callback, data)
                }
                guard let near = g_socket_listener_accept_finish(listener.typed(), result.opaque, nil, nil) else {
                    return
                }
                ServerStream.sendAtOnce(near)
                self?.carry(GReference(owning: UnsafeMutableRawPointer(near)))
            }
        }
    }

    /// Joins a connection of libnice to a new one of the server, until either ends.
    private func carry(_ near: GReference) {
        Task { [route, authorities, cancellation] in
            do throws(ICEServerFailure) {
                let far = try await ServerStream.connect(
                    to: route.server, at: route.address, authorities: authorities, cancellation)
                async let back: Void = Self.pass(from: far.stream, to: near, cancellation)
                await Self.pass(from: near, to: far.stream, cancellation)
                await back
            } catch {
                Log.info("ice", "\(error)")
            }
        }
    }

    /// Passes all bytes on, and then the end.
    private static func pass(from source: GReference, to target: GReference, _ cancellation: Cancellation) async {
        let input = g_io_stream_get_input_stream(source.typed())
        let output = g_io_stream_get_output_stream(target.typed())
        let flags = GOutputStreamSpliceFlags(
            rawValue: G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE.rawValue | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET.rawValue)
        let result = await GIOOperation.result { callback, data in
            g_output_stream_splice_async(
                output, input, flags, G_PRIORITY_DEFAULT, cancellation.pointer, callback, data)
        }
        g_output_stream_splice_finish(output, result.opaque, nil)
    }
}
