import CGLib
import Reactor

/// Owner of a `GTlsCertificate`.
@EngineActor
struct TLSCertificate {
    let reference: GReference

    init(_ reference: GReference) {
        self.reference = reference
    }

    var pointer: UnsafeMutablePointer<GTlsCertificate> {
        reference.typed()
    }

    /// The certificate in DER.
    var der: [UInt8]? {
        var value = GValue()
        g_value_init(&value, g_byte_array_get_type())
        defer { g_value_unset(&value) }
        g_object_get_property(reference.typed(as: GObject.self), "certificate", &value)
        guard let array = g_value_get_boxed(&value)?.assumingMemoryBound(to: GByteArray.self).pointee,
            let data = array.data
        else { return nil }
        return [UInt8](UnsafeBufferPointer(start: data, count: Int(array.len)))
    }

    /// Whether the private key came with it.
    var hasKey: Bool {
        var value = GValue()
        g_value_init(&value, 16 << 2)
        defer { g_value_unset(&value) }
        g_object_get_property(reference.typed(as: GObject.self), "private-key-pem", &value)
        return g_value_get_string(&value) != nil
    }

    var fingerprint: CertificateFingerprint? {
        der.map { CertificateFingerprint(ofCertificate: $0) }
    }

    /// A time that the certificate names.
    struct Time {
        let unixSeconds: Int
        let text: String

        fileprivate init?(taking time: OpaquePointer?) {
            guard let time else { return nil }
            defer { g_date_time_unref(time) }
            guard let written = g_date_time_format(time, "%Y-%m-%d %H:%M UTC") else { return nil }
            defer { g_free(written) }
            unixSeconds = Int(g_date_time_to_unix(time))
            text = String(cString: written)
        }
    }

    /// From when until when it is valid, where that can be told.
    var validity: (start: Time?, end: Time?) {
        (
            Time(taking: g_tls_certificate_get_not_valid_before(pointer)),
            Time(taking: g_tls_certificate_get_not_valid_after(pointer))
        )
    }

    /// The server's side of TLS over `stream`, before its handshake.
    ///
    /// `g_tls_server_connection_new` would read the system's authorities for each connection, which takes longer than
    /// the engine may; they are of use only for clients' certificates, so here there are none.
    func makeServerStream(over stream: GReference) -> GReference? {
        let type = g_tls_backend_get_server_connection_type(g_tls_backend_get_default())
        var values = [GValue](repeating: GValue(), count: 3)
        defer { for index in values.indices { g_value_unset(&values[index]) } }
        g_value_init(&values[0], g_io_stream_get_type())
        g_value_set_object(&values[0], stream.raw)
        g_value_init(&values[1], g_tls_certificate_get_type())
        g_value_set_object(&values[1], reference.raw)
        g_value_init(&values[2], g_tls_database_get_type())
        let names: [String] = ["base-io-stream", "certificate", "database"]
        // Interned strings live as long as the process.
        var pointers: [UnsafePointer<gchar>?] = names.map { g_intern_string($0) }
        guard let made = g_object_new_with_properties(type, 3, &pointers, &values) else { return nil }
        let secured = GReference(owning: UnsafeMutableRawPointer(made))
        return g_initable_init(OpaquePointer(made), nil, nil) != 0 ? secured : nil
    }
}
