import CPulse
import CSndfile
package import Primitives

extension LibraryVersion {
    package static var devices: [LibraryVersion] {
        [
            LibraryVersion("libpulse", String(cString: pa_get_library_version())),
            LibraryVersion("libsndfile", String(cString: sf_version_string())),
        ]
    }
}
