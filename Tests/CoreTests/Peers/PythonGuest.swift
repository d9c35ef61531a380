import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport

/// A guest that speaks the room's protocol without any line of ours: a program beside this file, which reads commands
/// and reports in JSON, one a line.
final class PythonGuest {
    private let conversation: ChildConversation
    /// All that it has reported.
    private(set) var reports: [JSONValue] = []

    /// - Parameter network: where its sockets live; `nil`: where the tests' do.
    init(_ program: String, _ arguments: [String], network: NetworkNamespace? = nil) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: program + ".py").path
        conversation = try ChildConversation(
            (network?.prefix ?? []) + ["/usr/bin/python3", "-B", script] + arguments,
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"],
            log: STDERR_FILENO)
    }

    func say(_ command: String) throws {
        try conversation.send(Array((command + "\n").utf8))
    }

    /// The next report that `condition` holds of; `nil`: none came in time.
    func next(within limit: Duration = .seconds(20), where condition: (JSONValue) -> Bool) throws -> JSONValue? {
        let deadline = MonoTime.now() + limit
        while let line = try conversation.take(until: [UInt8(ascii: "\n")], by: deadline) {
            guard let report = JSONValue(parsing: line) else { continue }
            reports.append(report)
            if condition(report) { return report }
        }
        return nil
    }

    /// Whether it goes on, once what it has said until now is taken.
    var isGoingOn: Bool {
        do {
            _ = try next(within: .milliseconds(1)) { _ in false }
            return true
        } catch {
            return false
        }
    }
}
