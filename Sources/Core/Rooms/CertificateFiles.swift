import Foundation
import Glibc
import Primitives
import Reactor
import Signaling
import Transport

/// The user's own certificate for hosted rooms: two PEM files, which are read anew when they have changed.
@EngineActor
final class CertificateFiles {
    /// What tells one version of a file from another.
    private struct Stamp: Equatable {
        var device: UInt
        var inode: UInt
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    let certificate: String
    let key: String
    private var stamps: [Stamp?]

    init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
        stamps = [certificate, key].map(Self.stamp)
    }

    /// Reads both files and checks that they serve: the key is the certificate's, and its time is now.
    func load() throws -> TLSCredentials {
        let credentials = try TLSCredentials(certificateFile: certificate, keyFile: key)
        try credentials.checkValidity(at: Int(Date().timeIntervalSince1970))
        do throws(TransportError) {
            _ = try DTLSIdentity(pem: Array((credentials.keyPEM + "\n" + credentials.certificatePEM).utf8))
        } catch {
            throw UserFacingError(
                "certificate", why: "\(key) is not the key of \(certificate), or is locked by a password",
                remedy: "give the two files that were made together; \(certificate) begins with the server's own")
        }
        return credentials
    }

    /// What the files hold now, where that is another thing than before and serves; what does not is told in the log
    /// once, and the former stays in use.
    func changed() -> TLSCredentials? {
        let now = [certificate, key].map(Self.stamp)
        guard now != stamps else { return nil }
        stamps = now
        do {
            let credentials = try load()
            Log.info("room", "\(certificate) has changed and is in use from now on")
            return credentials
        } catch {
            Log.warning("room", "\(error); the former certificate stays in use")
            return nil
        }
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }
}
