import ControlClient
import ControlProtocol
import Glibc
import Primitives
import TestSupport
import Testing

@testable import Core

/// Real cores that write to each other by the methods of their sockets.
@Suite(.serialized) struct ChatCallTests {
    private final class Room {
        var cores: [String: SoundingCore] = [:]
        let link: String

        init(_ names: [String]) throws {
            let host = try SoundingCore(names[0], pulse: nil)
            cores[names[0]] = host
            link = try host.host("room")
            for name in names.dropFirst() { try join(name) }
            for core in cores.values { try #require(try Self.canChat(core, with: names.count - 1)) }
        }

        @discardableResult
        func join(_ name: String) throws -> SoundingCore {
            let core = try SoundingCore(name, pulse: nil)
            cores[name] = core
            try core.join(link)
            return core
        }

        subscript(name: String) -> SoundingCore {
            get throws { try #require(cores[name]) }
        }

        static func canChat(_ core: SoundingCore, with count: Int) throws -> Bool {
            try core.wait { core in
                core.people.count == count && core.people.allSatisfy(\.canChat)
            }
        }

        /// The statistics of the channel to another.
        func channel(_ name: String, to other: String) throws -> JSONValue {
            let answer = try self[name].call("stats.get", ["participant": .string(other)])
            guard case .object(let people)? = answer["participants"],
                case .array(let channels)? = people.first?.value["data-channel"]
            else { return .null }
            return channels.first ?? .null
        }

        /// Who wrote what, as the core's state has it.
        func chat(_ name: String) throws -> [String] {
            let core = try self[name]
            let call = core.state.activeCall.flatMap { core.state.calls[$0] }
            return call?.chatInOrder.map(\.message.line) ?? []
        }

        func reaches(_ name: String, _ lines: [String]) throws -> Bool {
            _ = try self[name].wait { _ in (try? self.chat(name)) == lines }
            return try chat(name) == lines
        }
    }

    @Test func whatOneWritesEveryoneHasInOrderAndAsEvents() throws {
        let room = try Room(["a", "b", "c"])
        for number in 1...20 {
            let answer = try room["a"].call("chat.send", ["text": .string("message \(number)")])
            guard case .array(let reached)? = answer["reached"] else {
                Issue.record("\(answer.text)")
                return
            }
            #expect(reached.count == 2)
            #expect(answer["unreached"] == .object([:]))
        }
        let lines = (1...20).map { "a: message \($0)" }
        for name in ["a", "b", "c"] { #expect(try room.reaches(name, lines), "\(name)") }
        try room["b"].call("chat.send", ["text": .string("two\nlines \"quoted\" 👋")])
        for name in ["a", "b", "c"] {
            #expect(try room.reaches(name, lines + ["b: two lines \"quoted\" 👋"]), "\(name)")
            let event = try #require(try room[name].events.last { $0.kind == .chat })
            #expect(event.message == "two\nlines \"quoted\" 👋" && event.text == "b: two lines \"quoted\" 👋")
            let from = try room["a"].people.first { $0.name == "b" }?.id
            #expect(event.participant == from)
        }
    }

    @Test func whatIsWrittenToOneReachesNoOther() throws {
        let room = try Room(["a", "b", "c"])
        try room["a"].call("chat.send", ["text": .string("for b"), "to": .string("b")])
        try room["a"].call("chat.send", ["text": .string("for all")])
        #expect(try room.reaches("b", ["a: for b", "a: for all"]))
        #expect(try room.reaches("c", ["a: for all"]))
        #expect(try room.reaches("a", ["a: for b", "a: for all"]))
        let call = try #require(try room["a"].state.calls.values.first)
        let b = try #require(try room["a"].people.first { $0.name == "b" }?.id)
        #expect(call.chatInOrder.map(\.message.to) == [[b], nil])
    }

    @Test func whoComesLaterSeesWhatComesLater() throws {
        let room = try Room(["a", "b"])
        try room["b"].call("chat.send", ["text": .string("before")])
        #expect(try room.reaches("a", ["b: before"]))
        let late = try room.join("c")
        try #require(try Room.canChat(late, with: 2))
        try #require(try Room.canChat(room["a"], with: 2))
        try room["a"].call("chat.send", ["text": .string("after")])
        #expect(try room.reaches("c", ["a: after"]))
        #expect(try room.reaches("b", ["b: before", "a: after"]))
    }

    @Test func aConsoleThatComesLaterHasTheChatInItsState() throws {
        let room = try Room(["a", "b"])
        try room["a"].call("chat.send", ["text": .string("hello")])
        try #require(try room.reaches("b", ["a: hello"]))
        let whole = try room["b"].call("core.state")
        let state: CoreState = try #require(whole["state"]).decoded()
        #expect(state.calls.values.first?.chatInOrder.map(\.message.text) == ["hello"])
        let console = try room["b"].program.attach()
        try console.send("core.subscribe", ["levels": .bool(false), "statistics": .bool(false)])
        let first: CoreState? = try console.first { message in
            guard case .request(nil, "state", let params?) = message else { return nil }
            return try params["state"]?.decoded()
        }
        #expect(first?.calls.values.first?.chatInOrder.map(\.message.name) == ["a"])
    }

    @Test func whatCannotBeSentIsRefusedWithTheReason() throws {
        let room = try Room(["a", "b"])
        let cases: [([String: JSONValue], String)] = [
            (["text": .string("")], "nothing in it"), (["text": .string("\u{1B}[2J")], "control character"),
            (["text": .string(String(repeating: "x", count: 4001))], "4001 bytes"), ([:], "“text” is missing"),
            (["text": .string("hi"), "to": .string("zoe")], "nobody called “zoe”"),
            (["text": .string("hi"), "call": .string("x")], "no call “x”"),
        ]
        for (params, reason) in cases {
            do {
                try room["a"].call("chat.send", params)
                Issue.record("\(params) was taken")
            } catch {
                #expect("\(error)".contains(reason), "\(error)")
            }
        }
        try room["b"].call("call.leave")
        try #require(try room["a"].wait { $0.people.isEmpty })
        do {
            try room["a"].call("chat.send", ["text": .string("anybody?")])
            Issue.record("nobody is there")
        } catch {
            #expect("\(error)".contains("nobody else is in room"))
        }
        #expect(try room.chat("a").isEmpty, "what reached nobody is not kept")
    }

    @Test func aFloodIsCutAndSaid() throws {
        let room = try Room(["a", "b"])
        for number in 0..<80 { try room["a"].call("chat.send", ["text": .string("\(number)")]) }
        #expect(
            try room["b"].wait { core in
                core.events.contains { $0.kind == .warning && $0.text == "a writes too fast: messages are dropped" }
            })
        let taken = try room.chat("b")
        #expect((50..<80).contains(taken.count))
        #expect(Array(taken.prefix(50)) == (0..<50).map { "a: \($0)" })
        #expect(try room.reaches("a", (0..<80).map { "a: \($0)" }))
        let (sent, received) = (try room.channel("a", to: "b"), try room.channel("b", to: "a"))
        #expect(sent["messagesSent"] == .integer(80) && received["messagesReceived"] == .integer(80))
        #expect(sent["bytesSent"] == received["bytesReceived"])
        #expect(received["messagesDiscarded"] == .integer(80 - taken.count))
    }

    private func type(_ text: String, into descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// What comes up to `end`, or within 10 s.
    private func text(from descriptor: Int32, until end: String) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        let deadline = MonoTime.now() + .seconds(10)
        while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8), MonoTime.now() < deadline {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, 100) > 0 else { continue }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func theVerbTellsWhomItReached() throws {
        let room = try Room(["a", "b"])
        let sent = try room["a"].program.run("chat", "see", "you at", "noon")
        #expect(sent.status == 0 && sent.output == "sent to b\n" && sent.errors.isEmpty)
        #expect(try room.reaches("b", ["a: see you at noon"]))
        let one = try room["b"].program.run("chat", "--to", "a", "--", "-1")
        #expect(one.status == 0 && one.output == "sent to a\n")
        #expect(try room.reaches("a", ["a: see you at noon", "b: -1"]))
        let wrong = try room["a"].program.run("chat", "--to", "zoe", "hi")
        #expect(wrong.status == 1 && wrong.errors.contains("nobody called “zoe” is in room"))
        #expect(try room["a"].program.run("chat").status == 2)
        #expect(try room["a"].program.run("chat", "a\tb").status == 2, "a parameter that cannot be")
    }

    @Test func lineModeSaysWhatIsWrittenAndWrites() throws {
        let room = try Room(["a", "b"])
        let (input, feed) = try makePipe()
        let (output, sink) = try makePipe()
        let console = try room["b"].program.start("--plain", input: input, output: sink)
        for descriptor in [input, sink] { close(descriptor) }
        defer { for descriptor in [feed, output] { close(descriptor) } }
        type("chat hello from b\n", into: feed)
        #expect(try room.reaches("a", ["b: hello from b"]))
        try room["a"].call("chat.send", ["text": .string("two\nlines")])
        let said = text(from: output, until: "a: two lines\n")
        #expect(said.contains("\nb: hello from b\n") && said.contains("\nchat hello from b: done. "))
        #expect(said.hasSuffix("a: two lines\n"), "one message is one line")
        type("quit\n", into: feed)
        #expect(console.wait() == 0)
    }

    @Test func holdAndComingBackKeepTheChat() throws {
        let room = try Room(["a", "b"])
        try room["a"].call("call.hold", ["on": .bool(true)])
        try room["a"].call("chat.send", ["text": .string("on hold")])
        #expect(try room.reaches("b", ["a: on hold"]))
        try room["a"].call("call.hold", ["on": .bool(false)])
        try room["b"].call("chat.send", ["text": .string("back")])
        #expect(try room.reaches("a", ["a: on hold", "b: back"]))
    }
}
