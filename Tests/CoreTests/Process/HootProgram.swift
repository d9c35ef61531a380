import ControlClient
import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport

/// The built program in directories of its own. The core that it starts ends with this object.
final class HootProgram {
    /// What one run of the program gave.
    struct Outcome {
        /// −1: it was ended by a signal, or by the deadline.
        var status: Int32
        var output: String
        var errors: String
    }

    let base: TemporaryDirectory
    /// Exactly what the program gets to see.
    var environment: [String: String]
    /// Where its sockets live; `nil`: where the tests' do.
    var network: NetworkNamespace?

    /// `hoot` beside the running test.
    static let path: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (own as NSString).deletingLastPathComponent + "/hoot"
    }()

    init() throws {
        base = try TemporaryDirectory("hoot-run")
        environment = [
            "PATH": "/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": base.path,
            "HOOT_RUNTIME_DIR": base.path + "/run", "HOOT_STATE_DIR": base.path + "/state",
            "HOOT_CONFIG_DIR": base.path + "/conf", "PULSE_SERVER": "unix:\(base.path)/nothing",
        ]
    }

    var directories: Directories {
        Directories(environment: environment, userID: getuid())
    }

    /// The pid of the running core.
    var corePID: Int32? {
        CoreLock.owner(lockPath: directories.lockPath)?.pid
    }

    /// Runs `hoot` with these words to its end.
    func run(
        _ words: String..., input: String = "", prefix: [String] = [], within limit: Duration = .seconds(20)
    ) throws -> Outcome {
        try run(words: words, input: input, prefix: prefix, within: limit)
    }

    /// Runs `hoot` with these words to its end.
    func run(
        words: [String], input: String = "", prefix: [String] = [], within limit: Duration = .seconds(20)
    ) throws -> Outcome {
        let (stdin, feed) = try makePipe()
        let (output, stdout) = try makePipe()
        let (errors, stderr) = try makePipe()
        let child = try ChildProcess(
            prefix + (network?.prefix ?? []) + [Self.path] + words, environment: environment, input: stdin,
            output: stdout, log: stderr)
        for descriptor in [stdin, stdout, stderr] { close(descriptor) }
        let bytes = Array(input.utf8)
        _ = write(feed, bytes, bytes.count)
        close(feed)
        let texts = Self.drain([output, errors], until: .now() + limit)
        if texts == nil { child.kill() }
        return Outcome(status: child.wait(), output: texts?[0] ?? "", errors: texts?[1] ?? "the time was up")
    }

    /// Starts `hoot` and lets it run; the caller ends it.
    func start(_ words: String..., input: Int32 = -1, output: Int32 = -1, log: Int32 = -1) throws -> ChildProcess {
        try ChildProcess([Self.path] + words, environment: environment, input: input, output: output, log: log)
    }

    /// A greeted connection to the running core.
    func attach() throws -> CoreConnection {
        guard let connection = try CoreLauncher(directories: directories).connect() else { throw ClientError.noCore }
        _ = try connection.greet(version: "test")
        return connection
    }

    /// Everything that comes out of the descriptors until all of them end, which closes them; `nil` at the deadline.
    private static func drain(_ descriptors: [Int32], until deadline: MonoTime) -> [String]? {
        defer { for descriptor in descriptors { close(descriptor) } }
        var texts = descriptors.map { _ in [UInt8]() }
        var pollers = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 65536)
        while pollers.contains(where: { $0.fd >= 0 }) {
            let left = deadline - MonoTime.now()
            guard left > .zero else { return nil }
            guard poll(&pollers, nfds_t(pollers.count), Int32(left.milliseconds.rounded(.up))) > 0 else { continue }
            for index in pollers.indices where pollers[index].revents != 0 {
                let count = read(pollers[index].fd, &chunk, chunk.count)
                if count > 0 { texts[index] += chunk[..<count] } else { pollers[index].fd = -1 }
            }
        }
        return texts.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CoreConnection {
    /// Whether the core ends the connection within `limit`; what it still sends is read and dropped.
    func ends(within limit: Duration) -> Bool {
        let deadline = MonoTime.now() + limit
        while true {
            do {
                guard try wait(until: deadline) else { return false }
                _ = try receive()
            } catch {
                return true
            }
        }
    }

    /// The core's state.
    func state() throws -> CoreState {
        try (call("core.state")["state"] ?? .null).decoded()
    }

    /// Reads until `found` takes a message; `nil` at the deadline.
    func first<Value>(within limit: Duration = .seconds(20), _ found: (RPCMessage) throws -> Value?) throws -> Value? {
        let deadline = MonoTime.now() + limit
        while true {
            for message in try receive() {
                if let value = try found(message) { return value }
            }
            guard try wait(until: deadline) else { return nil }
        }
    }
}

/// Waits until `condition` holds, looking again every few milliseconds: for what the kernel tells nobody.
func holds(within limit: Duration, _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = MonoTime.now() + limit
    while try !condition() {
        guard MonoTime.now() < deadline else { return false }
        poll(nil, 0, 2)
    }
    return true
}
