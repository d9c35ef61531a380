import Foundation

/// A new directory under `$TMPDIR` that vanishes with its owner, and before it the core that lives in it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init(_ prefix: String = "hoot-test") throws {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ChildProcess.Failure(description: "mkdtemp in \(parent): \(String(cString: strerror(errno)))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let core = ConsoleProcess.corePID(in: self) { kill(core, SIGKILL) }
        // What is just being ended may still write into it.
        for _ in 0..<200 {
            try? FileManager.default.removeItem(atPath: path)
            guard access(path, F_OK) == 0 else { return }
            poll(nil, 0, 10)
        }
    }
}
