import ControlClient
import ControlProtocol
import Foundation
import Glibc
import Primitives
import Synchronization
import TestSupport

/// A script that sends requests to a core's socket as fast as it takes them, from a thread that lets every other one go
/// first.
final class SocketFlood: Sendable {
    private let isRunning = Atomic<Bool>(true)
    private let answers = Atomic<Int>(0)
    private let sent = Atomic<Int>(0)

    private static let methods = ["core.state", "settings.get", "stats.text", "audio.devices"]

    /// Begins at once with `count` requests, and gives up after a minute.
    /// - Parameter reads: whether it reads the answers; if not, it goes on for as long as the core takes something.
    init(socketPath: String, count: Int, reads: Bool) throws {
        let descriptor = try Self.connect(socketPath)
        Thread { [self] in
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
            flood(descriptor, count: count, reads: reads)
            close(descriptor)
            isRunning.store(false, ordering: .releasing)
        }.start()
    }

    var isGoingOn: Bool {
        isRunning.load(ordering: .acquiring)
    }

    var answerCount: Int {
        answers.load(ordering: .relaxed)
    }

    /// Bytes that the core took.
    var sentByteCount: Int {
        sent.load(ordering: .relaxed)
    }

    private func flood(_ descriptor: Int32, count: Int, reads: Bool) {
        let lines = (0..<1000).flatMap { index in
            // Most are cheap.
            let method = index % 100 == 0 ? Self.methods[index / 100 % Self.methods.count] : "core.hello"
            let params: JSONValue? = method == "core.hello" ? .object(["protocol": .integer(1)]) : nil
            return RPCMessage.request(id: .integer(index), method: method, params: params).line
        }
        let deadline = MonoTime.now() + .seconds(60)
        var buffer = [UInt8](repeating: 0, count: 65536)
        var offset = 0
        var rounds = 0
        while answerCount < count, MonoTime.now() < deadline {
            let isDone = rounds * 1000 >= count
            let events = (reads ? POLLIN : 0) | (isDone ? 0 : POLLOUT)
            var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // A core that takes nothing for as long has stopped reading.
            guard poll(&poller, 1, reads ? 5000 : 3000) > 0 else { return }
            if poller.revents & Int16(POLLIN) != 0 {
                let got = recv(descriptor, &buffer, buffer.count, 0)
                guard got > 0 else { return }
                answers.wrappingAdd(buffer[..<got].count { $0 == 0x0A }, ordering: .relaxed)
            }
            if poller.revents & Int16(POLLOUT) != 0 {
                let wrote = lines[offset...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard wrote > 0 || errno == EAGAIN else { return }
                sent.wrappingAdd(max(0, wrote), ordering: .relaxed)
                offset += max(0, wrote)
                if offset == lines.count { (offset, rounds) = (0, rounds + 1) }
            }
        }
    }

    private static func connect(_ path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw ClientError.noCore }
        return descriptor
    }
}
