import COpenSSL
import CSRTP
package import Primitives

extension LibraryVersion {
    package static var transport: [LibraryVersion] {
        [
            LibraryVersion("OpenSSL", String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))),
            LibraryVersion(
                "libsrtp2", String(cString: srtp_get_version_string()).replacing("libsrtp2 ", with: "")),
        ]
    }
}
