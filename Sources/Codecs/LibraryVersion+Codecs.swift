import COpus
package import Primitives

extension LibraryVersion {
    package static var codecs: [LibraryVersion] {
        [LibraryVersion("libopus", String(cString: opus_get_version_string()).replacing("libopus ", with: ""))]
    }
}
