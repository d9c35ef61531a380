import Codecs
import Devices
import Foundation
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
        guard let maps = FileManager.default.contents(atPath: "/proc/self/maps") else { return [] }
        let lines = String(decoding: maps, as: UTF8.self).split(separator: "\n")
        let paths = Set(lines.compactMap { $0.split(separator: " ").last })
        return ["libnice", "libwebrtc", "libspeexdsp", "libncursesw"].compactMap { stem in
            let file = paths.lazy.compactMap { $0.split(separator: "/").last }.first { $0.hasPrefix(stem) }
            guard let file, let mark = file.range(of: ".so.") else { return nil }
            return LibraryVersion(String(file[..<mark.lowerBound]), String(file[mark.upperBound...]) + " (of its file)")
        }
    }
}
