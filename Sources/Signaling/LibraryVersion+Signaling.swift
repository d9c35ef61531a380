import CSoup
package import Primitives

extension LibraryVersion {
    package static var signaling: [LibraryVersion] {
        let parts = [soup_get_major_version(), soup_get_minor_version(), soup_get_micro_version()]
        return [LibraryVersion("libsoup", parts.map { String($0) }.joined(separator: "."))]
    }
}
