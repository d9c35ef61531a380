import CGLib
import Glibc
import Primitives
import Reactor

/// A certificate, with its chain if it has one, and its private key, both as PEM.
///
/// Its description shows nothing of the key, so that it may stand in a log by accident.
package struct TLSCredentials: Hashable, Sendable, CustomStringConvertible {
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

    /// The credentials kept in `directory`, readable by their owner only. At the first use `make` makes them, and anew
    /// where theirs is not the time `now`, in Unix seconds, and a month after it: then `isRenewed`, and links that pin the
    /// former ones are void.
    @EngineActor
    package static func kept(
        in directory: String, at now: Int, make: () throws -> TLSCredentials
    ) throws -> (credentials: TLSCredentials, isRenewed: Bool) {
        let (certificate, key) = (directory + "/room-cert.pem", directory + "/room-key.pem")
        let isKept = access(certificate, F_OK) == 0 && access(key, F_OK) == 0
        if isKept {
            let kept = try TLSCredentials(certificateFile: certificate, keyFile: key)
            if try kept.isValid(from: now, until: now + renewalTime) { return (kept, false) }
        }
        let made = try make()
        // Without a certificate the key counts for nothing: at no moment are there two that do not belong together.
        unlink(certificate)
        try write(made.keyPEM, to: key)
        try write(made.certificatePEM, to: certificate)
        return (made, isKept)
    }

    /// How long before its end a certificate is renewed, in seconds: longer than a room stays open.
    private static let renewalTime = 30 * 86_400

    package var description: String {
        "certificate of \(certificatePEM.utf8.count) bytes and its key"
    }

    /// What a link pins. Fails where one of the two is no PEM; whether they belong together is the caller's to check.
    @EngineActor
    package func fingerprint() throws(TLSCredentialsError) -> CertificateFingerprint {
        guard let der = try certificate().der else { throw .unusable("it has no DER form") }
        return CertificateFingerprint(ofCertificate: der)
    }

    /// Fails where the certificate's time has not come or is over at `now`, in Unix seconds, or one of the two is no PEM.
    @EngineActor
    package func checkValidity(at now: Int) throws(TLSCredentialsError) {
        let validity = try certificate().validity
        if let start = validity.start, now < start.unixSeconds { throw .notYetValid(from: start.text) }
        if let end = validity.end, now >= end.unixSeconds { throw .expired(at: end.text) }
    }

    @EngineActor
    private func isValid(from first: Int, until last: Int) throws(TLSCredentialsError) -> Bool {
        let validity = try certificate().validity
        return validity.start.map { $0.unixSeconds <= first } ?? true
            && validity.end.map { last < $0.unixSeconds } ?? true
    }

    @EngineActor
    func certificate() throws(TLSCredentialsError) -> TLSCertificate {
        var error: UnsafeMutablePointer<GError>?
        let certificate = g_tls_certificate_new_from_pem(certificatePEM + "\n" + keyPEM, -1, &error)
        guard let certificate else {
            throw .unusable(GLibError("g_tls_certificate_new_from_pem", taking: error).message)
        }
        let owned = TLSCertificate(GReference(owning: UnsafeMutableRawPointer(certificate)))
        guard owned.hasKey else { throw .unusable("the key is no private key in PEM") }
        return owned
    }

    private static func read(_ path: String) throws(TLSCredentialsError) -> String {
        do throws(RegularFileError) {
            return String(decoding: try RegularFile.read(path), as: UTF8.self)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
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
    case expired(at: String)
    case notYetValid(from: String)

    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "certificate: cannot read \(path): \(reason)"
        case .unwritable(let path, let reason): "certificate: cannot write \(path): \(reason)"
        case .unusable(let reason): "certificate: it or its key cannot be used: \(reason)"
        case .expired(let time): "certificate: it expired at \(time); renew it"
        case .notYetValid(let time): "certificate: it is valid only from \(time); look at this machine's clock"
        }
    }
}
