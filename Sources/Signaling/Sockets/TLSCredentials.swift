import CGLib
import Glibc
package import Reactor

/// A certificate, with its chain if it has one, and its private key, both as PEM.
package struct TLSCredentials: Hashable, Sendable {
    package var certificatePEM: String
    package var keyPEM: String

    package init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }

    /// Reads the user's own certificate and key.
    package init(certificateFile: String, keyFile: String) throws(TLSCredentialsError) {
        certificatePEM = try Self.read(certificateFile)
        keyPEM = try Self.read(keyFile)
    }

    /// The credentials kept in `directory`, readable by their owner only; at the first use `make` makes them.
    package init(keptIn directory: String, make: () throws -> TLSCredentials) throws {
        let (certificate, key) = (directory + "/room-cert.pem", directory + "/room-key.pem")
        if access(certificate, F_OK) == 0, access(key, F_OK) == 0 {
            try self.init(certificateFile: certificate, keyFile: key)
            return
        }
        self = try make()
        try Self.write(keyPEM, to: key)
        try Self.write(certificatePEM, to: certificate)
    }

    /// What a link pins. Fails where the PEM is none or the key is of another certificate.
    @EngineActor
    package func fingerprint() throws(TLSCredentialsError) -> CertificateFingerprint {
        guard let der = try certificate().der else { throw .unusable("it has no DER form") }
        return CertificateFingerprint(ofCertificate: der)
    }

    @EngineActor
    func certificate() throws(TLSCredentialsError) -> TLSCertificate {
        var error: UnsafeMutablePointer<GError>?
        let certificate = g_tls_certificate_new_from_pem(certificatePEM + "\n" + keyPEM, -1, &error)
        guard let certificate else {
            throw .unusable(GLibError("g_tls_certificate_new_from_pem", taking: error).message)
        }
        return TLSCertificate(GReference(owning: UnsafeMutableRawPointer(certificate)))
    }

    private static func read(_ path: String) throws(TLSCredentialsError) -> String {
        var (contents, length): (UnsafeMutablePointer<gchar>?, gsize) = (nil, 0)
        var error: UnsafeMutablePointer<GError>?
        guard g_file_get_contents(path, &contents, &length, &error) != 0, let contents else {
            throw .unreadable(path: path, reason: GLibError("g_file_get_contents", taking: error).message)
        }
        defer { g_free(contents) }
        return String(cString: contents)
    }

    private static func write(_ text: String, to path: String) throws(TLSCredentialsError) {
        var error: UnsafeMutablePointer<GError>?
        let flags = GFileSetContentsFlags(
            rawValue: G_FILE_SET_CONTENTS_CONSISTENT.rawValue | G_FILE_SET_CONTENTS_DURABLE.rawValue)
        guard g_file_set_contents_full(path, text, gssize(text.utf8.count), flags, 0o600, &error) != 0 else {
            throw .unwritable(path: path, reason: GLibError("g_file_set_contents_full", taking: error).message)
        }
    }
}

/// Why a certificate cannot be used.
package enum TLSCredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case unwritable(path: String, reason: String)
    case unusable(String)

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "certificate: cannot read \(path): \(reason)"
        case .unwritable(let path, let reason): "certificate: cannot write \(path): \(reason)"
        case .unusable(let reason): "certificate: it or its key cannot be used: \(reason)"
        }
    }
}

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

    var fingerprint: CertificateFingerprint? {
        der.map { CertificateFingerprint(ofCertificate: $0) }
    }
}
