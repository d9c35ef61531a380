import ControlClient
import ControlProtocol
import Glibc
import Primitives
import Testing

@Suite struct CoreConnectionTests {
    /// A connection and the far end of its socket.
    private func makePair() throws -> (CoreConnection, Int32) {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (CoreConnection(descriptor: ends[0]), ends[1])
    }

    private func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    @Test func anAnswerIsFoundAmongNotifications() throws {
        let (connection, far) = try makePair()
        defer { close(far) }
        write(#"{"jsonrpc":"2.0","method":"event","params":{}}"# + "\n", to: far)
        write(#"{"jsonrpc":"2.0","id":1,"result":{"ok":true}}"# + "\n", to: far)
        #expect(try connection.call("core.state") == .object(["ok": .bool(true)]))
        #expect(try connection.receive() == [.request(id: nil, method: "event", params: .object([:]))])
    }

    @Test func whatComesWithAnAnswerIsKept() throws {
        let (connection, far) = try makePair()
        defer { close(far) }
        let event = #"{"jsonrpc":"2.0","method":"event","params":{}}"# + "\n"
        write(event + #"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n" + event, to: far)
        #expect(try connection.call("core.state") == .bool(true))
        #expect(try connection.receive().count == 2)
    }

    @Test func anErrorIsThrownWithItsMessage() throws {
        let (connection, far) = try makePair()
        defer { close(far) }
        write(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no such call"}}"# + "\n", to: far)
        #expect(throws: ClientError.refused(.failed("no such call"))) { try connection.call("call.leave") }
    }

    @Test func linesAreJoinedFromPieces() throws {
        let (connection, far) = try makePair()
        defer { close(far) }
        write(#"{"jsonrpc":"2.0","meth"#, to: far)
        #expect(try connection.receive().isEmpty)
        write(#"od":"a"}"# + "\n" + #"{"jsonrpc""#, to: far)
        #expect(try connection.receive() == [.request(id: nil, method: "a", params: nil)])
    }

    @Test func aCoreThatGoesIsNoticed() throws {
        let (connection, far) = try makePair()
        close(far)
        #expect(throws: ClientError.self) { try connection.call("core.state") }
    }

    @Test func whyACoreRefusedIsReadThoughItListensNoMore() throws {
        let (connection, far) = try makePair()
        write(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"too many"}}"# + "\n", to: far)
        close(far)
        #expect(throws: ClientError.refused(.failed("too many"))) { try connection.call("core.state") }
        #expect(throws: ClientError.lost("it closed the connection")) { try connection.call("core.state") }
    }

    @Test func aSilentCoreTimesOut() throws {
        let (connection, far) = try makePair()
        defer { close(far) }
        #expect(throws: ClientError.timeout(method: "core.state")) {
            try connection.call("core.state", within: .milliseconds(20))
        }
    }

    @Test func moreThanTheSocketTakesIsKeptAndWrittenLater() throws {
        let (connection, far) = try makePair()
        defer { close(far) }
        let big = JSONValue.string(String(repeating: "x", count: 500_000))
        try connection.send("settings.set", ["name": .string("a"), "value": big])
        #expect(connection.wantsToWrite)
        var received = 0
        var chunk = [UInt8](repeating: 0, count: 65536)
        while received < 500_000 {
            received += max(0, read(far, &chunk, chunk.count))
            try connection.flush()
        }
        #expect(!connection.wantsToWrite)
    }
}
