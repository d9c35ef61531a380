import Foundation
import Glibc
import Primitives

/// The folder of a demonstration, locked as long as its process runs: what is not locked was left by one that was killed,
/// and goes when the next is made.
struct DemoFolder {
    let path: String
    private let lock: Int32

    private static let prefix = "hoot-demo-"
    /// What `mkdtemp` puts behind the prefix.
    private static let suffixLength = 6

    /// Makes one in `$TMPDIR`, or in `/tmp` where a socket's path would not fit.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(UserFacingError) {
        let parent = Self.parent(environment)
        Self.sweep(parent)
        // Another's sweep may come between making one and locking it.
        for _ in 0..<10 {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else {
                throw UserFacingError("cannot make a directory in \(parent)", why: String(cString: strerror(errno)))
            }
            let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if let lock = Self.lock(made) {
                (path, self.lock) = (made, lock)
                return
            }
        }
        throw UserFacingError("cannot keep a directory in \(parent)", why: "another process removes each")
    }

    /// Removes it and what is in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    static func parent(_ environment: [String: String]) -> String {
        guard let wanted = environment["TMPDIR"], wanted.hasPrefix("/"), wanted.utf8.count <= 64 else { return "/tmp" }
        return wanted
    }

    /// Removes what demonstrations of this user left in `parent`.
    private static func sweep(_ parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            let suffix = name.dropFirst(prefix.count)
            guard name.hasPrefix(prefix), suffix.utf8.count == suffixLength,
                suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }),
                let lock = lock("\(parent)/\(name)")
            else { continue }
            try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
            close(lock)
        }
    }

    /// Locks a directory of this user's own; `nil`: it is another's, or gone, or no directory, or locked.
    private static func lock(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == getuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            access(path, F_OK) == 0
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
