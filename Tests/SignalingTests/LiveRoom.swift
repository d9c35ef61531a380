import Foundation
import Glibc
import Primitives
import Reactor
import Testing

@testable import Signaling

/// A served room on loopback, and what its tests need.
@EngineActor
final class LiveRoom {
    static let name = "standup"
    let server: RoomServer
    let token: RoomToken
    let room: RoomName

    /// With `invites` a room that was served before: its links go on to open it.
    init(
        _ security: RoomServer.Security, port: UInt16 = 0, limits: RoomLimits = RoomLimits(),
        publicOrigins: Set<String> = [], invites: InviteBook? = nil,
        configure: (inout RoomConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = RoomServer.Configuration(security: security)
        configuration.address = "127.0.0.1"
        configuration.port = port
        configuration.limits = limits
        var generator = SystemRandomNumberGenerator()
        room = try RoomName(Self.name)
        var book =
            invites
            ?? InviteBook(
                room: room, signer: RoomTokenSigner(using: &generator), nonces: SplitMix64(seed: generator.next()))
        token = try book.ownLink(at: WallClock.now().unixSeconds(at: .now()))
        server = try RoomServer(configuration)
        server.publicOrigins = publicOrigins
        var configured = RoomConfiguration(invites: book)
        configure(&configured)
        try server.open(configured)
    }

    func link(
        room: String? = nil, token: RoomToken? = nil, fingerprint: CertificateFingerprint? = nil
    ) throws -> RoomLink {
        try RoomLink(
            scheme: server.fingerprint == nil ? .http : .https, host: "127.0.0.1", port: server.port,
            room: RoomName(room ?? Self.name), token: token ?? self.token,
            fingerprint: fingerprint ?? server.fingerprint)
    }

    func join(_ name: String, link: RoomLink? = nil, intent: Hello.Intent = .join) throws -> Guest {
        try Guest(name, link: link ?? self.link(), intent: intent)
    }
}

/// A member that notes its events and lets tests wait for them.
@EngineActor
final class Guest {
    private(set) var events: [RoomEvent] = []
    private(set) var client: RoomClient?
    private var waiting: (matches: (RoomEvent) -> Bool, resume: CheckedContinuation<RoomEvent?, Never>)?
    private var deadline: EngineTimer?
    private var looked = 0

    convenience init(_ name: String, link: RoomLink, intent: Hello.Intent = .join) throws {
        self.init()
        let identity = "identity-of-\(name)-0123"
        client = RoomClient(link: link, name: name, identity: identity, intent: intent) { [weak self] in
            self?.note($0)
        }
        client?.start()
    }

    convenience init(hosting room: LiveRoom, _ name: String) {
        self.init()
        client = room.server.makeLocalClient(room: room.room, name: name, identity: "identity-of-\(name)-0123") {
            [weak self] in self?.note($0)
        }
        client?.start()
    }

    private init() {
        deadline = EngineTimer { [weak self] in self?.giveUp() }
    }

    /// The next event, after those already waited for, that matches; `nil` when none comes within `limit`.
    func event(
        within limit: Duration = .seconds(20), where matches: @escaping (RoomEvent) -> Bool
    ) async -> RoomEvent? {
        if let index = events.indices.dropFirst(looked).first(where: { matches(events[$0]) }) {
            looked = index + 1
            return events[index]
        }
        deadline?.arm(after: limit)
        return await withCheckedContinuation { waiting = (matches, $0) }
    }

    func welcome() async -> Welcome? {
        let found = await event { if case .welcome = $0 { true } else { false } }
        if case .welcome(let welcome) = found { return welcome } else { return nil }
    }

    func end() async -> RoomEnd? {
        let found = await event { if case .closed = $0 { true } else { false } }
        if case .closed(let end) = found { return end } else { return nil }
    }

    func drop() {
        client = nil
    }

    private func note(_ event: RoomEvent) {
        events.append(event)
        guard let waiting, waiting.matches(event) else { return }
        self.waiting = nil
        deadline?.cancel()
        looked = events.count
        waiting.resume.resume(returning: event)
    }

    private func giveUp() {
        guard let waiting else { return }
        self.waiting = nil
        waiting.resume.resume(returning: nil)
    }
}

/// A plain TCP connection of a client that does not follow the protocol.
final class RawConnection {
    private(set) var descriptor: Int32

    /// `nil` when it is not accepted.
    init?(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    func send(_ text: String) {
        send(bytes: [UInt8](text.utf8))
    }

    /// How many of the bytes were taken.
    @discardableResult
    func send(bytes: some Collection<UInt8>) -> Int {
        let bytes = [UInt8](bytes)
        return max(0, Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)))
    }

    /// What has come so far; `nil` when the other side has closed.
    func read() -> String? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count == 0 || (count < 0 && errno == ECONNRESET) { return nil }
        return count < 0 ? "" : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Drops the connection with a reset, so that no port is left waiting.
    deinit {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }
}

/// Resident memory of this process, in bytes.
func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}
