import CLinux
import Glibc

/// Tells that cameras came or went: its descriptor becomes readable then.
package final class CameraWatch {
    /// For the loop that waits; it is closed with this object.
    package let descriptor: Int32
    private let devices: String

    /// `nil`: the system cannot watch the directory of device files.
    package init?(devices: String = "/dev") {
        descriptor = clinux_directory_events()
        self.devices = devices
        guard descriptor >= 0 else { return nil }
        watch()
    }

    deinit {
        close(descriptor)
    }

    /// Takes what is there to read; then the list is read anew. The links with the stable names come after the files
    /// that they lead to, and are watched as soon as there is a directory of them.
    package func drain() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &events, events.count) > 0 {}
        watch()
    }

    private func watch() {
        for directory in [devices, "\(devices)/v4l", "\(devices)/v4l/by-id"] {
            _ = clinux_watch_directory(descriptor, directory)
        }
    }
}
