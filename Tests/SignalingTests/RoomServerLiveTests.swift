import Glibc
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Signaling

/// Real servers and clients over loopback. One after the other: they share the engine.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct RoomServerLiveTests {
    static let kinds: [RoomServer.Security] = [.plain, .tls(TestCertificates.first)]

    func isMessage(_ event: RoomEvent, _ message: PeerMessage) -> Bool {
        if case .message(_, message) = event { true } else { false }
    }

    @Test(arguments: kinds) @EngineActor
    func theHostAndTwoGuestsTalk(_ security: RoomServer.Security) async throws {
        let room = try LiveRoom(security)
        let host = Guest(hosting: room, "host")
        #expect(await host.welcome()?.role == .host)
        let ann = try room.join("ann")
        let bob = try room.join("bob")
        let (welcome, other) = (await ann.welcome(), await bob.welcome())
        #expect(Set([welcome?.members.count, other?.members.count]) == [1, 2])
        let long = PeerMessage.description(PeerDescription(kind: .offer, sdp: String(repeating: "é", count: 50_000)))
        ann.client?.send(long, to: other?.id)
        #expect(await bob.event { isMessage($0, long) } != nil)
        let status = PeerMessage.status(MemberStatus(muted: true))
        host.client?.send(status)
        #expect(await ann.event { isMessage($0, status) } != nil)
        #expect(await bob.event { isMessage($0, status) } != nil)
        ann.client?.leave()
        #expect(await ann.end() == .left)
        let left = RoomEvent.memberLeft(try #require(welcome?.id), .left)
        #expect(await host.event { $0 == left } != nil)
        host.client?.leave(closing: true)
        #expect(await bob.end() == .roomClosed("the host closed the room"))
        #expect(await host.end() == .left)
        #expect(await eventually { room.server.connectionCounts.all == 0 })
    }

    @Test(arguments: kinds) @EngineActor
    func wrongTokensAndUnknownRoomsAreRefusedWithAReason(_ security: RoomServer.Security) async throws {
        let room = try LiveRoom(security)
        var generator = SystemRandomNumberGenerator()
        let wrong = try room.join("eve", link: room.link(token: RoomToken(using: &generator)))
        let unknown = try room.join("eve", link: room.link(room: "elsewhere"))
        for guest in [wrong, unknown] {
            guard case .refused(let refusal) = await guest.end() else { return #expect(Bool(false)) }
            #expect(refusal.code == .notAdmitted)
        }
    }

    @Test @EngineActor func theNinthIsToldThatTheRoomIsFull() async throws {
        let room = try LiveRoom(.tls(TestCertificates.first))
        var guests: [Guest] = []
        for number in 1...8 {
            let guest = try room.join("p\(number)")
            #expect(await guest.welcome() != nil)
            guests.append(guest)
        }
        let ninth = try room.join("p9")
        #expect(await ninth.end()?.description.hasPrefix("room is full") == true)
    }

    @Test @EngineActor func aCertificateThatTheLinkDoesNotNameIsRefused() async throws {
        let room = try LiveRoom(.tls(TestCertificates.first))
        let other = try TestCertificates.second.fingerprint()
        let pinned = try room.join("ann", link: room.link(fingerprint: other))
        let end = await pinned.end()
        #expect(end?.description.contains("is not the one that the link names") == true, "\(String(describing: end))")
        #expect(room.server.counters.admitted == 0)
    }

    @Test @EngineActor func aChangedCertificateServesLaterConnectionsAndTheFormerOnesStay() async throws {
        let room = try LiveRoom(.tls(TestCertificates.first))
        let ann = try room.join("ann")
        #expect(await ann.welcome() != nil)
        var changed: TLSCredentials? = TestCertificates.second
        room.server.changedCredentials = {
            defer { changed = nil }
            return changed
        }
        for name in ["bob", "chi"] {
            let guest = try room.join(name, link: room.link(fingerprint: TestCertificates.second.fingerprint()))
            #expect(await guest.welcome()?.members.contains { $0.name == "ann" } == true)
        }
        #expect(!ann.events.contains { if case .reconnecting = $0 { true } else { false } })
    }

    @Test @EngineActor func withoutAFingerprintTheSystemMustTrustTheCertificate() async throws {
        let room = try LiveRoom(.tls(TestCertificates.first))
        let link = try RoomLink(
            host: "127.0.0.1", port: room.server.port, room: room.room, token: room.token, fingerprint: nil)
        let guest = try room.join("ann", link: link)
        #expect(await guest.end()?.description.contains("does not trust its certificate") == true)
    }

    @Test @EngineActor func aServerThatIsNotThereIsNamedWithTheReason() async throws {
        let room = try LiveRoom(.plain)
        let link = try room.link()
        room.server.shutDown()
        let end = await (try Guest("ann", link: link)).end()
        guard case .unreachable(let reason) = end else { return #expect(Bool(false)) }
        #expect(reason.contains("127.0.0.1:\(link.port)") && reason.contains("refused"), "\(reason)")
    }

    @Test @EngineActor func plainHTTPIsForLoopbackOnly() throws {
        var configuration = RoomServer.Configuration(security: .plain)
        configuration.port = 0
        for address in ["0.0.0.0", "::"] {
            configuration.address = address
            #expect(throws: RoomServerError.plainBeyondLoopback(address)) { try RoomServer(configuration) }
        }
        configuration.address = "localhost"
        #expect(throws: RoomServerError.notAnAddress("localhost")) { try RoomServer(configuration) }
        configuration.address = "::1"
        #expect(try RoomServer(configuration).port > 0)
    }

    @Test @EngineActor func aHostWhoseServerIsShutDownIsToldSoAndDoesNotComeBackToIt() async throws {
        let room = try LiveRoom(.plain)
        let host = Guest(hosting: room, "host")
        #expect(await host.welcome() != nil)
        room.server.shutDown()
        #expect(await host.event { if case .reconnecting(1, _, _) = $0 { true } else { false } } != nil)
        #expect(await host.event { if case .reconnecting(2, _, _) = $0 { true } else { false } } != nil)
        #expect(!host.events.contains { if case .reconnected = $0 { true } else { false } })
        host.client?.leave()
        #expect(await host.end() == .left)
    }

    @Test @EngineActor func aPortInUseIsNamed() throws {
        let room = try LiveRoom(.plain)
        do {
            _ = try LiveRoom(.plain, port: room.server.port)
            Issue.record("two servers on one port")
        } catch {
            #expect("\(error)".contains("127.0.0.1:\(room.server.port)"))
        }
    }

    @Test @EngineActor func theServerIsKilledAndStartedAnewAndTheCallGoesOn() async throws {
        let first = try LiveRoom(.tls(TestCertificates.first))
        let (port, invites) = (first.server.port, first.server.invites(of: first.room))
        let (ann, bob) = (try first.join("ann"), try first.join("bob"))
        #expect(await ann.welcome() != nil)
        let id = await bob.welcome()?.id
        first.server.shutDown()
        #expect(await ann.event { if case .reconnecting = $0 { true } else { false } } != nil)
        let second = try LiveRoom(.tls(TestCertificates.first), port: port, invites: invites)
        for guest in [ann, bob] {
            #expect(await guest.event { if case .reconnected = $0 { true } else { false } } != nil)
            #expect(!guest.events.contains { if case .memberLeft = $0 { true } else { false } })
        }
        #expect(bob.client?.id == id)
        let hello = PeerMessage.candidate(PeerCandidate(candidate: "again"))
        ann.client?.send(hello, to: id)
        #expect(await bob.event { isMessage($0, hello) } != nil)
        #expect(second.server.members(of: second.room).count == 2)
    }

    @Test @EngineActor func whoWaitsIsRungAndComesIn() async throws {
        let room = try LiveRoom(.plain)
        let host = Guest(hosting: room, "host")
        let bob = try room.join("bob", intent: .wait)
        #expect(await bob.welcome() != nil)
        #expect(await host.event { $0 == .waiting(["bob"]) } != nil)
        host.client?.ring(["bob"])
        let rung = await bob.event { if case .incomingRing = $0 { true } else { false } }
        guard case .incomingRing(let invite) = rung else { return #expect(Bool(false)) }
        bob.client?.answer(invite.call, .accepted)
        bob.client?.enter()
        #expect(await host.event { $0 == .ringing(invite.call, .accepted("bob")) } != nil)
        #expect(await host.event { if case .memberJoined = $0 { true } else { false } } != nil)
    }

    @Test(arguments: kinds) @EngineActor
    func silentConnectionsAreBoundedAndCutOff(_ security: RoomServer.Security) async throws {
        var limits = RoomLimits()
        limits.helloTime = .milliseconds(700)
        limits.closingTime = .milliseconds(100)
        let room = try LiveRoom(security, limits: limits)
        let ann = try room.join("ann")
        #expect(await ann.welcome() != nil)
        let silent = (0..<64).compactMap { _ in RawConnection(port: room.server.port) }
        #expect(silent.count == 64)
        #expect(await eventually { room.server.connectionCounts.outside == 64 })
        let late = try #require(RawConnection(port: room.server.port))
        #expect(await eventually { late.read() == nil })
        #expect(room.server.counters.refusedAtAccept == 1)
        ann.client?.send(.status(MemberStatus(muted: true)))
        #expect(await eventually { silent.allSatisfy { $0.read() == nil } })
        #expect(await eventually { room.server.connectionCounts == (1, 0) })
        let bob = try room.join("bob")
        #expect(await bob.welcome()?.members.map(\.name) == ["ann"])
    }

    @Test @EngineActor func oneThatDripsItsRequestIsCutOffToo() async throws {
        var limits = RoomLimits()
        limits.helloTime = .milliseconds(300)
        let room = try LiveRoom(.plain, limits: limits)
        let slow = try #require(RawConnection(port: room.server.port))
        let isCut = await eventually {
            slow.send("G")
            return slow.read() == nil
        }
        #expect(isCut)
        #expect(await eventually { room.server.connectionCounts.all == 0 })
    }

    @Test @EngineActor func thePageIsServedForAnyRoomAndNothingElse() async throws {
        let room = try LiveRoom(.plain)
        for path in ["/", "/r/standup", "/r/no-such-room"] {
            let answer = await request("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n", of: room)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("text/html"), "\(path)")
            #expect(answer.contains("no-store") && answer.contains("default-src 'none'"))
            #expect(!answer.lowercased().contains("set-cookie"))
        }
        let script = await request("GET /page/main.js HTTP/1.1\r\nHost: x\r\n\r\n", of: room)
        #expect(script.hasPrefix("HTTP/1.1 200") && script.contains("Content-Type: text/javascript"))
        for path in ["/secret", "/page/", "/page/secret.js", "/r/", "/r/a/b"] {
            let answer = await request("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n", of: room)
            #expect(answer.hasPrefix("HTTP/1.1 404"), "\(path)")
        }
        let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
        #expect(await request(post, of: room).hasPrefix("HTTP/1.1 405"))
        #expect(await eventually { room.server.connectionCounts.all == 0 })
    }

    /// RFC 6455, section 10.2: a page from elsewhere must not speak for the person who looks at it.
    @Test(arguments: [
        ("http://rooms.example:7443", true), ("https://rooms.example:7443", true), ("https://proxy.example", true),
        ("http://rooms.example", false), ("http://rooms.example:7443.evil.example", false), ("null", false),
        ("https://evil.example", false), ("https://proxy.example:444", false), ("", false),
    ])
    @EngineActor func aWebSocketIsOpenedOnlyForTheHostsOwnPage(_ origin: String, isAdmitted: Bool) async throws {
        let room = try LiveRoom(.plain, publicOrigins: ["https://proxy.example"])
        let answer = await request(
            "GET /ws HTTP/1.1\r\nHost: rooms.example:7443\r\nOrigin: \(origin)\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", of: room, until: "\r\n")
        #expect(answer.hasPrefix(isAdmitted ? "HTTP/1.1 101" : "HTTP/1.1 403"), "\(answer.prefix(20))")
    }

    /// The answer to a request, up to `end` or to the end of the connection.
    @EngineActor private func request(_ text: String, of room: LiveRoom, until end: String? = nil) async -> String {
        guard let connection = RawConnection(port: room.server.port) else { return "" }
        connection.send(text)
        var answer = ""
        _ = await eventually {
            guard let more = connection.read() else { return true }
            answer += more
            return end.map(answer.contains) ?? false
        }
        return answer
    }

    @Test @EngineActor func tenThousandAttemptsLeaveMemoryBoundedAndTheRoomAlive() async throws {
        let room = try LiveRoom(.tls(TestCertificates.first))
        let (ann, bob) = (try room.join("ann"), try room.join("bob"))
        #expect(await ann.welcome() != nil)
        let id = await bob.welcome()?.id
        await attempt(500, of: room)
        let before = residentBytes()
        await attempt(9_500, of: room)
        #expect(await eventually { room.server.connectionCounts.outside == 0 })
        #expect(residentBytes() - before < 8 << 20, "grew by \((residentBytes() - before) / 1024) KiB")
        let counters = room.server.counters
        #expect(counters.accepted + counters.refusedAtAccept >= 10_000)
        let hello = PeerMessage.candidate(PeerCandidate(candidate: "alive"))
        ann.client?.send(hello, to: id)
        #expect(await bob.event { isMessage($0, hello) } != nil)
        #expect(!ann.events.contains { if case .reconnecting = $0 { true } else { false } })
    }

    /// Connects and says something that is no TLS, in batches, each dropped when the server has dealt with it.
    @EngineActor private func attempt(_ count: Int, of room: LiveRoom) async {
        var done = 0
        while done < count {
            let batch = (0..<min(100, count - done)).compactMap { _ in RawConnection(port: room.server.port) }
            for connection in batch { connection.send("GET / HTTP/1.1\r\n\r\n") }
            done += max(batch.count, 1)
            let expected = batch.count
            let seen = room.server.counters
            _ = await eventually(within: .seconds(2)) {
                let now = room.server.counters
                return now.accepted + now.refusedAtAccept >= seen.accepted + seen.refusedAtAccept + expected
            }
        }
    }

    @Test @EngineActor func anOversizedMessageIsRefusedWithTheLimit() async throws {
        let room = try LiveRoom(.plain)
        let channel = WebSocketChannel(link: try room.link())
        var heard: [RoomChannelEvent] = []
        channel.open { heard.append($0) }
        #expect(await eventually { !heard.isEmpty })
        channel.send([UInt8](repeating: 0x20, count: 150_000))
        #expect(await eventually { heard.count >= 2 })
        guard case .message(let bytes) = heard[1] else { return #expect(Bool(false)) }
        #expect(String(decoding: bytes, as: UTF8.self).contains("at most 131072"))
        #expect(await eventually { if case .closed = heard.last { true } else { false } })
        heard = []
        channel.open { heard.append($0) }
        #expect(await eventually { !heard.isEmpty })
        channel.send([UInt8](repeating: 0x20, count: 1 << 20))
        #expect(await eventually { if case .closed = heard.last { true } else { false } })
        #expect(await eventually { room.server.connectionCounts.all == 0 })
    }

    /// Fragments, each small, of one message without end (RFC 6455, section 5.4).
    @Test @EngineActor func anEndlessMessageIsCutOff() async throws {
        let room = try LiveRoom(.plain)
        let connection = try #require(RawConnection(port: room.server.port))
        connection.send(
            "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        var answer = ""
        #expect(
            await eventually {
                answer += connection.read() ?? ""
                return answer.hasPrefix("HTTP/1.1 101")
            })
        // Opcode, masked length of two bytes, a mask of zeros, 32 KiB of spaces.
        let payload = [UInt8](repeating: 0x20, count: 32768)
        let more: [UInt8] = [0x00, 0xFE, 0x80, 0x00, 0, 0, 0, 0] + payload
        var waiting: ArraySlice<UInt8> = [0x01, 0xFE, 0x80, 0x00, 0, 0, 0, 0] + payload
        var sentBytes = 0
        let isCut = await eventually {
            let count = connection.send(bytes: waiting)
            sentBytes += count
            waiting = waiting.dropFirst(count)
            if waiting.isEmpty { waiting = more[...] }
            return connection.read() == nil
        }
        #expect(isCut)
        #expect(sentBytes < 64 << 20, "took \(sentBytes / 1024) KiB")
        #expect(await eventually { room.server.connectionCounts.all == 0 })
    }

    @Test @EngineActor func aClientThatIsDroppedClosesItsConnection() async throws {
        let room = try LiveRoom(.tls(TestCertificates.first))
        let ann = try room.join("ann")
        #expect(await ann.welcome() != nil)
        ann.drop()
        #expect(await eventually { room.server.connectionCounts.all == 0 })
    }

    @Test @EngineActor func aServerThatIsDroppedFreesItsPort() async throws {
        var room: LiveRoom? = try LiveRoom(.plain)
        let port = try #require(room?.server.port)
        room = nil
        #expect(await eventually { (try? LiveRoom(.plain, port: port)) != nil })
    }

    @Test @EngineActor func credentialsAreKeptFromTheFirstUseForTheirOwnerOnly() throws {
        let directory = try TemporaryDirectory()
        let now = Int(WallClock.now().unixSeconds(at: .now()))
        func kept(at time: Int, _ next: TLSCredentials) throws -> (credentials: TLSCredentials, isRenewed: Bool) {
            try TLSCredentials.kept(in: directory.path, at: time) { next }
        }
        #expect(try kept(at: now, TestCertificates.first) == (TestCertificates.first, false))
        #expect(try kept(at: now, TestCertificates.second).credentials == TestCertificates.first)
        let century = 100 * 365 * 86_400
        #expect(
            try kept(at: now + century, TestCertificates.second) == (TestCertificates.second, true), "its end is near")
        #expect(try kept(at: now, TestCertificates.first) == (TestCertificates.second, false))
        #expect(try kept(at: 0, TestCertificates.first) == (TestCertificates.first, true), "its time has not come")
        var status = stat()
        #expect(stat(directory.path + "/room-key.pem", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let mixed = TLSCredentials(
            certificatePEM: TestCertificates.first.certificatePEM, keyPEM: "nonsense")
        #expect(throws: TLSCredentialsError.self) { try mixed.fingerprint() }
    }
}
