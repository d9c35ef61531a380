import COpenSSL
import Foundation
import Glibc
import Primitives
import Synchronization

/// Strangers who try to come into a room, one after the other in each of several threads, over TLS or what they hold
/// for it. The threads let every other thread of the machine go first: the flood comes from elsewhere, in real life.
final class RoomFlood: Sendable {
    private let port: UInt16
    private let deadline: MonoTime
    private let left: Atomic<Int>
    private let running: Atomic<Int>
    private let sessions = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    // unchecked: OpenSSL's contexts may be shared by threads.
    private nonisolated(unsafe) let context = SSL_CTX_new(TLS_client_method())

    private static let upgrade =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    private static let hello =
        #"{"type":"hello","version":1,"room":"room","token":"AAECAwQFBgcICQoLDA0ODw","name":"eve","#
        + #""identity":"0123456789abcdef","session":"s","intent":"join"}"#

    /// Begins at once with `count` attempts, and gives up after a minute.
    init(port: UInt16, count: Int, threadCount: Int = 12) {
        self.port = port
        deadline = .now() + .seconds(60)
        left = Atomic(count)
        running = Atomic(threadCount)
        for _ in 0..<threadCount {
            Thread { [self] in
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                while MonoTime.now() < deadline {
                    let rest = left.wrappingSubtract(1, ordering: .relaxed).oldValue
                    guard rest > 0 else { break }
                    attempt(rest)
                }
                running.wrappingSubtract(1, ordering: .releasing)
            }.start()
        }
    }

    deinit {
        SSL_CTX_free(context)
    }

    /// How often a TLS session came about.
    var sessionCount: Int {
        sessions.load(ordering: .relaxed)
    }

    /// How often a `hello` was answered.
    var answerCount: Int {
        answers.load(ordering: .relaxed)
    }

    var isGoingOn: Bool {
        running.load(ordering: .acquiring) > 0
    }

    /// Every fourth says no TLS, every fourth a wrong `hello`; the others end after the handshake.
    private func attempt(_ number: Int) {
        guard let descriptor = connect() else { return }
        defer { close(descriptor) }
        if number % 4 == 0 {
            var byte: UInt8 = 0
            send(descriptor, Self.upgrade, Self.upgrade.utf8.count, Int32(MSG_NOSIGNAL))
            recv(descriptor, &byte, 1, 0)
            return
        }
        guard let session = SSL_new(context) else { return }
        defer { SSL_free(session) }
        SSL_set_fd(session, descriptor)
        guard SSL_connect(session) == 1 else { return }
        sessions.wrappingAdd(1, ordering: .relaxed)
        if number % 4 == 1, sayHello(session) { answers.wrappingAdd(1, ordering: .relaxed) }
    }

    private func sayHello(_ session: OpaquePointer) -> Bool {
        var answer = [UInt8](repeating: 0, count: 1024)
        SSL_write(session, Self.upgrade, Int32(Self.upgrade.utf8.count))
        guard SSL_read(session, &answer, 1024) > 0 else { return false }
        // A masked text frame of a two-byte length (RFC 6455, section 5.2), the mask being zero.
        let length = UInt16(Self.hello.utf8.count)
        let frame: [UInt8] = [0x81, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF), 0, 0, 0, 0] + Self.hello.utf8
        SSL_write(session, frame, Int32(frame.count))
        return SSL_read(session, &answer, 1024) > 0
    }

    /// A connection that gives up after a second, and that a reset ends: no port is left waiting.
    private func connect() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var second = timeval(tv_sec: 1, tv_usec: 0)
        var reset = linger(l_onoff: 1, l_linger: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &second, socklen_t(MemoryLayout<timeval>.size))
        }
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
