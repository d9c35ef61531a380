import ControlClient
import ControlProtocol
import Glibc
import Primitives
import Testing

@testable import Core

extension CoreServerTests {
    /// JSON-RPC over the real socket: every method, every kind of mistake, and whatever else may come in a line.
    @Suite struct ServerProtocolTests {
        @Test func everyMethodAnswersAndNamesWhatDoesNotFit() async throws {
            let running = try await RunningCore(guests: 0)
            let connection = try running.connect()
            for method in Method.all where method.name != "core.shutdown" {
                // Whatever the answer is, there is one.
                do throws(ClientError) {
                    _ = try connection.call(method.name, method.name == "core.hello" ? Self.fitting(method) : [:])
                } catch {
                    guard case .refused = error else { throw error }
                }
                for parameter in method.parameters {
                    var wrong = Self.fitting(method)
                    wrong[parameter.name] = parameter.kind == .scalar ? .array([]) : .object([:])
                    let message = Self.refusal(connection, method.name, wrong)
                    #expect(message?.code == -32602)
                    #expect(
                        message?.message.contains("“\(parameter.name)”") == true, "\(method.name) \(parameter.name)")
                    guard parameter.isRequired else { continue }
                    wrong[parameter.name] = nil
                    let missing = Self.refusal(connection, method.name, wrong)
                    #expect(missing?.message.hasPrefix("parameter “\(parameter.name)” is missing: ") == true)
                }
                let unknown = Self.refusal(connection, method.name, Self.fitting(method).merging(["nope": 1]) { $1 })
                let takesIt = method.name == "core.hello"
                #expect(takesIt || unknown?.message.hasPrefix("no parameter “nope”") == true, "\(method.name)")
            }
            await running.stop()
            #expect(connection.ends(within: .seconds(20)))
        }

        /// Parameters that pass the table.
        private static func fitting(_ method: Method) -> [String: JSONValue] {
            let pairs = method.parameters.filter(\.isRequired).map { parameter -> (String, JSONValue) in
                switch parameter.kind {
                case .integer where parameter.name == "protocol":
                    (parameter.name, .integer(ProtocolVersion.current))
                case .integer(let range): (parameter.name, .integer(range.lowerBound))
                case .strings: (parameter.name, .array([]))
                case .boolean: (parameter.name, .bool(false))
                case .choice(let words): (parameter.name, .string(words[0]))
                default: (parameter.name, "x")
                }
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }

        private static func refusal(
            _ connection: CoreConnection, _ method: String, _ params: [String: JSONValue]
        ) -> RPCError? {
            do throws(ClientError) {
                _ = try connection.call(method, params)
                return nil
            } catch {
                guard case .refused(let refusal) = error else { return nil }
                return refusal
            }
        }

        @Test func mistakesHaveTheCodesOfTheSpecification() async throws {
            let running = try await RunningCore(guests: 0)
            let connection = try running.connect()
            for (line, code) in [
                ("{", -32700), ("nonsense", -32700), ("", -32700), (String(repeating: "[", count: 5000), -32700),
                ("[]", -32600), ("5", -32600), (#"{"id":1,"method":"core.state"}"#, -32600),
                (#"{"jsonrpc":"2.0","id":{},"method":"core.state"}"#, -32600),
                (#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
                (#"{"jsonrpc":"2.0","id":1,"method":"core.nope"}"#, -32601),
                (#"{"jsonrpc":"2.0","id":1,"method":"audio.gain"}"#, -32602),
                (#"{"jsonrpc":"2.0","id":1,"method":"audio.gain","params":[1]}"#, -32602),
            ] {
                try connection.send(line: line.utf8)
                let error: RPCError? = try connection.first { message in
                    if case .error(_, let error) = message { return error }
                    return nil
                }
                #expect(error?.code == code, "\(line)")
            }
            await running.stop()
        }

        @Test func aLineMayHaveOneMebibyteAndNoMore() async throws {
            let running = try await RunningCore(guests: 0)
            let connection = try running.connect()
            let frame = #"{"jsonrpc":"2.0","id":1,"method":"core.state","params":{"x":""}}"#.utf8.count
            let padding = String(repeating: "x", count: ProtocolVersion.maximumLineByteCount - 1 - frame)
            try connection.send("core.state", ["x": .string(padding)])
            // What follows a long line waits its turn.
            try connection.send("core.state")
            var ids: [JSONValue] = []
            _ = try connection.first { message in
                switch message {
                case .error(let id, let error):
                    #expect(error.code == -32602 && error.message.utf8.count < 300)
                    ids.append(id)
                case .result(let id, _): ids.append(id)
                case .request: break
                }
                return ids.count == 2 ? true : nil
            }
            #expect(ids == [.integer(1), .integer(2)])
            await running.stop()
        }

        /// However much more comes before the client reads.
        @Test func aLineThatIsTooLongIsAnsweredEveryTime() async throws {
            let running = try await RunningCore(guests: 0)
            for round in 0..<15 {
                let connection = try running.connect()
                let line = [UInt8](repeating: 0x78, count: ProtocolVersion.maximumLineByteCount + 1 + (round % 3) << 20)
                #expect(Self.write(line, to: connection.descriptor), "the whole line is taken")
                let error: RPCError? = try connection.first { message in
                    if case .error(.null, let error) = message { return error }
                    return nil
                }
                #expect(error?.code == -32700 && error?.message == "a line is longer than 1048576 bytes")
                #expect(connection.ends(within: .seconds(20)))
            }
            await running.stop()
        }

        private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
            var written = 0
            while written < bytes.count {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, 5000)
                let count = send(
                    descriptor, Array(bytes[written...].prefix(65536)), min(65536, bytes.count - written),
                    Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                written += count
            }
            return true
        }

        @Test func anotherVersionIsOfferedTheFrozenMethodsOnly() async throws {
            let running = try await RunningCore(guests: 0)
            let connection = try running.connect()
            let greeting = try connection.call(
                "core.hello", ["protocol": .integer(ProtocolVersion.current + 1), "news": "of a later version"])
            #expect(greeting["protocol"] == .integer(ProtocolVersion.current))
            for method in Method.all where method.name != "core.shutdown" && method.name != "core.hello" {
                let refusal = Self.refusal(connection, method.name, Self.fitting(method).merging(["later": 1]) { $1 })
                #expect((refusal?.code == -32001) == !method.isFrozen, "\(method.name): \(String(describing: refusal))")
            }
            #expect(try connection.call("core.shutdown", ["later": 1]) == .object([:]))
            #expect(connection.ends(within: .seconds(20)))
        }

        @Test func prefixesAndMutationsAreAnsweredOrRefused() async throws {
            let running = try await RunningCore(guests: 0)
            let corpus = Method.all.filter { !["core.shutdown", "room.host"].contains($0.name) }.map { method in
                RPCMessage.request(id: 1, method: method.name, params: .object(Self.fitting(method))).line.dropLast()
            }
            let connection = try running.connect()
            for line in corpus {
                for end in line.indices { try connection.send(line: line[..<end]) }
                _ = try connection.receive()
            }
            var mutator = LineMutator(corpus: corpus.map(Array.init), seed: 7)
            for count in 0..<20_000 {
                try connection.send(line: mutator.next())
                guard count % 100 == 0 else { continue }
                while connection.wantsToWrite {
                    _ = try connection.wait(until: .now() + .seconds(5))
                    _ = try connection.receive()
                }
            }
            // A name that no mutation makes is answered last.
            try connection.send(line: #"{"jsonrpc":"2.0","id":"the end","method":"core.state"}"#.utf8)
            let last: JSONValue? = try connection.first(within: .seconds(30)) { message in
                if case .result("the end", let state) = message { return state }
                return nil
            }
            #expect(last?["state"] != nil)
            await running.stop()
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
}

/// Makes damaged lines of good ones: the same seed gives the same ones. None has a line feed.
struct LineMutator {
    private let corpus: [[UInt8]]
    private var random: SplitMix64
    private static let tokens = [
        "null", "1e999", "-0", "\"\\ud800\"", "{", "}", "[", "\"", "\\", "99999999999999999999",
    ]

    init(corpus: [[UInt8]], seed: UInt64) {
        self.corpus = corpus
        random = SplitMix64(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var line = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...line.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: line.removeSubrange(place..<min(place + Int.random(in: 1...8, using: &random), line.count))
            case 1: line.insert(.random(in: 0...255, using: &random), at: place)
            case 2: line.insert(contentsOf: (Self.tokens.randomElement(using: &random) ?? "").utf8, at: place)
            default: if place < line.count { line[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            }
        }
        return line.filter { $0 != 0x0A }
    }
}
