import Glibc
import Primitives
import TestSupport
import Testing

@testable import Reactor

/// A listener in a directory of its own, what it accepted, and a raw client.
@EngineActor private final class Fixture {
    private let directory: TemporaryDirectory
    let path: String
    var accepted: [UnixConnection] = []
    var lines: [String] = []
    var closed: [UnixConnection.CloseReason] = []
    private(set) var listener: UnixListener?

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/s"
        listener = try UnixListener(path: path) { [weak self] in self?.take($0) }
    }

    private func take(_ connection: UnixConnection) {
        connection.onLine = { [weak self] in self?.lines.append(String(decoding: $0, as: UTF8.self)) }
        connection.onClose = { [weak self] in self?.closed.append($0) }
        accepted.append(connection)
        connection.start()
    }

    func connect() throws -> Int32 {
        let address = try UnixAddress(path: path)
        let descriptor = try address.makeSocket()
        guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw SocketError.last("connect", path)
        }
        return descriptor
    }

    func shutDown() {
        listener?.close()
        listener = nil
        accepted.forEach { $0.close() }
    }
}

@Suite(.serialized) @EngineActor struct UnixSocketTests {
    private func write(_ text: String, to descriptor: Int32) {
        _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
    }

    @Test func linesArriveWholeHoweverTheyAreCut() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try fixture.connect()
        defer { close(client) }
        write("one\ntw", to: client)
        #expect(await eventually { fixture.lines == ["one"] })
        write("o\n\nthree\n", to: client)
        #expect(await eventually { fixture.lines == ["one", "two", "", "three"] })
        #expect(fixture.accepted.first?.peerUID == getuid())
        #expect(fixture.accepted.first?.peerPID == getpid())
    }

    @Test func theSocketIsItsUsersOnlyAndGoesWithTheListener() throws {
        let fixture = try Fixture()
        var status = stat()
        #expect(lstat(fixture.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        fixture.shutDown()
        #expect(lstat(fixture.path, &status) != 0)
    }

    @Test func aPathThatDoesNotFitIsRefusedByName() {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        #expect(throws: SocketError.pathTooLong(path: path, limit: 107)) {
            try UnixListener(path: path) { _ in }
        }
        #expect(SocketError.pathTooLong(path: "/p", limit: 107).description.contains("shorter directory"))
    }

    @Test func aVanishedSocketFileIsNoticedAndCanBeMadeAnew() throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        #expect(fixture.listener?.isReachable == true)
        unlink(fixture.path)
        #expect(fixture.listener?.isReachable == false)
        let second = try UnixListener(path: fixture.path) { _ in }
        #expect(second.isReachable)
        fixture.listener?.close()
        #expect(second.isReachable, "the first listener must not remove the second one's file")
        second.close()
    }

    @Test func anOverlongLineEndsTheConnection() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try UnixConnection.connect(path: fixture.path)
        client.writeLimit = 8 << 20
        client.start()
        client.send([UInt8](repeating: 0x61, count: 1 << 20))
        #expect(await eventually { fixture.lines.first?.utf8.count == 1 << 20 })
        client.send([UInt8](repeating: 0x61, count: 1 << 20 + 1))
        #expect(await eventually { fixture.closed == [.lineTooLong] })
        #expect(fixture.lines.count == 1)
    }

    @Test func aPeerThatNeverStopsAfterTheLastWordsIsCutOff() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try fixture.connect()
        defer { close(client) }
        #expect(await eventually { fixture.accepted.count == 1 })
        fixture.accepted[0].overlongAnswer = [UInt8]("too long".utf8)[...]
        let block = [UInt8](repeating: 0x61, count: 1 << 16)
        var sent = 0
        let isCutOff = await eventually {
            while case let count = send(client, block, block.count, Int32(MSG_NOSIGNAL)), count > 0 { sent += count }
            return errno == EPIPE || errno == ECONNRESET
        }
        #expect(isCutOff && sent > 2 << 20, "what it sent after the last words was taken until then")
        #expect(fixture.closed == [.lineTooLong])
        var text = [UInt8](repeating: 0, count: 64)
        let count = read(client, &text, text.count)
        #expect(String(decoding: text[..<max(0, count)], as: UTF8.self) == "too long\n")
    }

    @Test func linesBeforeTheEndOfTheStreamAreDelivered() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try fixture.connect()
        for number in 0..<200 { write("\(number)\n", to: client) }
        close(client)
        #expect(await eventually { fixture.closed == [.endOfStream] })
        #expect(fixture.lines == (0..<200).map { "\($0)" })
    }

    @Test func aPeerThatDoesNotReadFillsTheBoundAndDrainsLater() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try fixture.connect()
        defer { close(client) }
        #expect(await eventually { fixture.accepted.count == 1 })
        let server = fixture.accepted[0]
        server.writeLimit = 1 << 20
        var drained = 0
        server.onDrained = { drained += 1 }
        let line = [UInt8](repeating: 0x62, count: 99_999)
        var sent = 0
        while server.send(line) { sent += 1 }
        #expect(sent >= 10)
        #expect(server.pendingByteCount <= 1 << 20)
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let whole = await eventually {
            let count = read(client, &buffer, buffer.count)
            received += max(0, count)
            return received == sent * 100_000 && drained == 1
        }
        #expect(whole, "\(received) of \(sent * 100_000)")
        #expect(server.pendingByteCount == 0)
    }

    @Test func aFloodLeavesRoomForOthers() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try UnixConnection.connect(path: fixture.path)
        client.writeLimit = 64 << 20
        client.start()
        for _ in 0..<100_000 { client.send([0x78]) }
        // Turns, not time: how long one takes depends on what else the machine does.
        var turns = 0
        while fixture.lines.count < 100_000 {
            await passTime(.milliseconds(1))
            turns += 1
        }
        #expect(turns >= 5)
    }

    @Test func whatWaitsIsWrittenBeforeAGracefulClose() async throws {
        let fixture = try Fixture()
        defer { fixture.shutDown() }
        let client = try UnixConnection.connect(path: fixture.path)
        client.writeLimit = 8 << 20
        client.start()
        for _ in 0..<20 { client.send([UInt8](repeating: 0x63, count: 100_000)) }
        client.closeWhenWritten()
        #expect(!client.send([0x64]))
        #expect(await eventually { fixture.closed == [.endOfStream] })
        #expect(fixture.lines.count == 20)
        #expect(await eventually { !client.isOpen })
    }

    @Test func noDescriptorIsLeftBehind() async throws {
        let before = descriptorCount()
        for _ in 0..<50 {
            let fixture = try Fixture()
            let client = try UnixConnection.connect(path: fixture.path)
            client.start()
            client.send([0x65])
            #expect(await eventually { fixture.lines.count == 1 })
            fixture.shutDown()
        }
        #expect(await eventually { descriptorCount() <= before })
    }

    @Test func descriptorsThatWaitGoWithTheirConnection() async throws {
        let before = descriptorCount()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        do {
            let client = UnixConnection(descriptor: ends[0])
            client.start()
            #expect(client.send([UInt8](repeating: 0x63, count: 3_000_000)))
            #expect(client.send([0x64], descriptors: [ends[1], ends[1]]))
            #expect(descriptorCount() >= before + 4)
        }
        close(ends[1])
        #expect(await eventually { descriptorCount() <= before })
    }

    private func descriptorCount() -> Int {
        guard let directory = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return count
    }
}
