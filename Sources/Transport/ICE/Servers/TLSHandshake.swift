import CGLib
import Reactor

/// The client's side of TLS towards a TURN server.
@EngineActor
enum TLSHandshake {
    /// TLS over `plain`, before its handshake. `authorities` is a `GTlsDatabase`: `g_tls_client_connection_new` would
    /// read the system's for each connection.
    static func secure(
        _ plain: GReference, _ server: ICEServer, authorities: GReference
    ) throws(ICEServerFailure.Reason) -> GReference {
        let identity = GReference(
            owning: UnsafeMutableRawPointer(g_network_address_new(server.host, guint16(server.port))))
        let type = g_tls_backend_get_client_connection_type(g_tls_backend_get_default())
        let objects: [(String, GType, GReference)] = [
            ("base-io-stream", g_io_stream_get_type(), plain),
            ("server-identity", g_socket_connectable_get_type(), identity),
            ("database", g_tls_database_get_type(), authorities),
        ]
        var values = objects.map { _, type, object in
            var value = GValue()
            g_value_init(&value, type)
            g_value_set_object(&value, object.raw)
            return value
        }
        defer { for index in values.indices { g_value_unset(&values[index]) } }
        // Interned strings live as long as the process.
        var names: [UnsafePointer<gchar>?] = objects.map { g_intern_string($0.0) }
        guard let made = g_object_new_with_properties(type, guint(objects.count), &names, &values) else {
            throw .unreachable("no TLS library is here: install glib-networking")
        }
        let secured = GReference(owning: UnsafeMutableRawPointer(made))
        var error: UnsafeMutablePointer<GError>?
        guard g_initable_init(OpaquePointer(made), nil, &error) != 0 else {
            throw .unreachable(GLibError("g_initable_init", taking: error).message)
        }
        return secured
    }

    static func perform(on stream: GReference, _ cancellation: Cancellation) async throws(ICEServerFailure.Reason) {
        let result = await GIOOperation.result { callback, data in
            g_tls_connection_handshake_async(
                stream.typed(), G_PRIORITY_DEFAULT, cancellation.pointer, callback, data)
        }
        var error: UnsafeMutablePointer<GError>?
        guard g_tls_connection_handshake_finish(stream.typed(), result.opaque, &error) == 0 else { return }
        let failure = GLibError("g_tls_connection_handshake", taking: error)
        let flaws = g_tls_connection_get_peer_certificate_errors(stream.typed())
        throw flaws.rawValue == 0 ? .unreachable(failure.message) : .certificate(words(for: flaws))
    }

    private static func words(for flaws: GTlsCertificateFlags) -> String {
        let known = [
            (G_TLS_CERTIFICATE_UNKNOWN_CA, "nobody whom we trust has signed it"),
            (G_TLS_CERTIFICATE_BAD_IDENTITY, "it is for another host"),
            (G_TLS_CERTIFICATE_NOT_ACTIVATED, "its time has not begun"),
            (G_TLS_CERTIFICATE_EXPIRED, "its time is over"),
            (G_TLS_CERTIFICATE_REVOKED, "it was revoked"),
            (G_TLS_CERTIFICATE_INSECURE, "it uses insecure algorithms"),
        ]
        let words = known.filter { flaws.rawValue & $0.0.rawValue != 0 }.map(\.1)
        return words.isEmpty ? "it cannot be checked" : words.joined(separator: ", ")
    }
}
