import Foundation

/// What this process holds at a moment.
package struct ProcessUsage: Sendable {
    package var descriptorCount: Int
    package var threadCount: Int

    package static func now() -> ProcessUsage {
        ProcessUsage(descriptorCount: count("/proc/self/fd"), threadCount: count("/proc/self/task"))
    }

    private static func count(_ path: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
    }
}
