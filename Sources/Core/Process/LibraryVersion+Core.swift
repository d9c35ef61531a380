import Codecs
import Devices
import Foundation
import Glibc
package import Primitives
import Reactor
import Signaling
import Transport

extension LibraryVersion {
    /// The libraries of the program, in the versions that are loaded.
    package static var core: [LibraryVersion] {
        reactor + signaling + transport + codecs + devices + silent
    }

    /// Libraries that do not tell their version: their files do, by the name that the loader has mapped.
    private static var silent: [LibraryVersion] {
        let paths = Set(maps.split(separator: "\n").compactMap { $0.split(separator: " ").last })
        let stems = [
            "libnice", "libusrsctp", "libwebrtc", "libspeexdsp", "libncursesw", "libqrencode", "libyuv", "libvterm",
        ]
        return stems.compactMap { stem in
            let file = paths.lazy.compactMap { $0.split(separator: "/").last }.first { $0.hasPrefix(stem) }
            guard let file, let mark = file.range(of: ".so.") else { return nil }
            return LibraryVersion(String(file[..<mark.lowerBound]), String(file[mark.upperBound...]) + " (of its file)")
        }
    }
    /// The memory map of the process, which the kernel hands out page by page.
    private static var maps: String {
        let descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while case let count = read(descriptor, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
        return String(decoding: text, as: UTF8.self)
    }
}
