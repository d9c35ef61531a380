import COpus
import CVPX
package import Primitives

extension LibraryVersion {
    package static var codecs: [LibraryVersion] {
        [
            LibraryVersion("libopus", String(cString: opus_get_version_string()).replacing("libopus ", with: "")),
            LibraryVersion("libvpx", String(cString: vpx_codec_version_str()).replacing("v", with: "")),
        ]
    }
}
