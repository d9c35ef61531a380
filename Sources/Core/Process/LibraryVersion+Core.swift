import Codecs
import Devices
package import Primitives
import Reactor
import Signaling
import Transport

extension LibraryVersion {
    /// The libraries of the core.
    package static var core: [LibraryVersion] {
        reactor + signaling + transport + codecs + devices
    }
}
