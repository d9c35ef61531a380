import CGLib
package import Primitives

extension LibraryVersion {
    package static var reactor: [LibraryVersion] {
        [LibraryVersion("GLib", (0..<3).map { String(cglib_version($0)) }.joined(separator: "."))]
    }
}
