import COpenSSL
import Primitives

/// A key and its self-signed certificate, by whose fingerprint peers know this side.
package final class DTLSIdentity: @unchecked Sendable {
    // unchecked: set in `init` and only read afterwards; OpenSSL counts the references atomically.
    private let key: OpaquePointer
    private let certificate: OpaquePointer
    /// The SHA-256 fingerprint.
    package let fingerprint: DTLSFingerprint

    /// Makes a P-256 key and a certificate for it that is valid for ten years from yesterday: people and links know it by
    /// its fingerprint, so another one costs them something. About 1 ms.
    package convenience init() throws(TransportError) {
        let key = try Self.makeKey()
        do {
            try self.init(taking: key, certificate: Self.makeCertificate(for: key))
        } catch {
            EVP_PKEY_free(key)
            throw error
        }
    }

    /// Reads what `pem()` wrote: a private key and its certificate.
    package convenience init(pem: [UInt8]) throws(TransportError) {
        guard let input = pem.withUnsafeBytes({ BIO_new_mem_buf($0.baseAddress, Int32(clamping: $0.count)) }) else {
            throw .openSSL(.identity, "BIO_new_mem_buf")
        }
        defer { BIO_free(input) }
        guard let key = PEM_read_bio_PrivateKey(input, nil, nil, nil) else {
            throw .openSSL(.identity, "PEM_read_bio_PrivateKey")
        }
        guard let certificate = PEM_read_bio_X509(input, nil, nil, nil) else {
            EVP_PKEY_free(key)
            throw .openSSL(.identity, "PEM_read_bio_X509")
        }
        guard X509_check_private_key(certificate, key) == 1 else {
            EVP_PKEY_free(key)
            X509_free(certificate)
            throw .openSSL(.identity, "X509_check_private_key")
        }
        try self.init(taking: key, certificate: certificate)
    }

    /// Owns `key` only when it succeeds, `certificate` in any case.
    private init(taking key: OpaquePointer, certificate: OpaquePointer) throws(TransportError) {
        guard let fingerprint = DTLSFingerprint(of: certificate, hash: .sha256) else {
            X509_free(certificate)
            throw .openSSL(.identity, "X509_digest")
        }
        self.key = key
        self.certificate = certificate
        self.fingerprint = fingerprint
    }

    deinit {
        EVP_PKEY_free(key)
        X509_free(certificate)
    }

    /// The private key and the certificate as PEM text. It is a secret: keep its file at mode 0600.
    package func pem() throws(TransportError) -> [UInt8] {
        guard let output = BIO_new(BIO_s_mem()) else { throw .openSSL(.identity, "BIO_new") }
        defer { BIO_free(output) }
        guard PEM_write_bio_PrivateKey(output, key, nil, nil, 0, nil, nil) == 1,
            PEM_write_bio_X509(output, certificate) == 1
        else { throw .openSSL(.identity, "PEM_write_bio") }
        var bytes: UnsafeMutableRawPointer?
        let count = BIO_ctrl(output, BIO_CTRL_INFO, 0, &bytes)
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: max(0, count)))
    }

    /// The certificate's fingerprint by another hash.
    package func fingerprint(_ hash: DTLSFingerprint.Hash) -> DTLSFingerprint? {
        DTLSFingerprint(of: certificate, hash: hash)
    }

    /// Has `context` present this identity.
    func install(in context: OpaquePointer) -> Bool {
        SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
    }
}

extension DTLSIdentity {
    private static func makeKey() throws(TransportError) -> OpaquePointer {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else {
            throw .openSSL(.identity, "EVP_PKEY_CTX_new_id")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1,
            let key
        else { throw .openSSL(.identity, "EVP_PKEY_keygen") }
        return key
    }

    private static func makeCertificate(for key: OpaquePointer) throws(TransportError) -> OpaquePointer {
        guard let certificate = X509_new() else { throw .openSSL(.identity, "X509_new") }
        let day = 86_400
        let name = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), randomSerial()) == 1,
            X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), 3650 * day) != nil,
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, "hoot", -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1,
            X509_set_pubkey(certificate, key) == 1,
            X509_sign(certificate, key, EVP_sha256()) > 0
        else {
            X509_free(certificate)
            throw .openSSL(.identity, "X509_sign")
        }
        return certificate
    }

    private static func randomSerial() -> UInt64 {
        UInt64.random(in: 1...UInt64(Int64.max))
    }
}
