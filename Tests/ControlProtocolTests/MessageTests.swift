import ControlProtocol
import Primitives
import Testing

@Suite struct MessageTests {
    private func line(_ message: RPCMessage) -> String {
        String(decoding: message.line, as: UTF8.self)
    }

    /// The bytes of every kind of message: a change here is a change of the protocol and wants a new version.
    @Test func everyKindOfMessageHasItsBytes() throws {
        #expect(
            line(.request(id: .integer(1), method: "core.hello", params: .object(["protocol": .integer(1)])))
                == #"{"id":1,"jsonrpc":"2.0","method":"core.hello","params":{"protocol":1}}"# + "\n")
        #expect(line(.result(id: .string("a"), .bool(true))) == #"{"id":"a","jsonrpc":"2.0","result":true}"# + "\n")
        #expect(
            line(.error(id: .null, .invalidRequest("no")))
                == #"{"error":{"code":-32600,"message":"no"},"id":null,"jsonrpc":"2.0"}"# + "\n")
    }

    @Test func everyUpdateHasItsBytes() throws {
        let updates: [(Update, String)] = [
            (.state(revision: 3, exampleState()), Golden.state),
            (.patch(revision: 4, .object(["activeCall": .null])), Golden.patch),
            (.levels(exampleLevels()), Golden.levels),
            (.statistics(exampleStatistics()), Golden.statistics),
            (
                .event(EventUpdate(time: 5, kind: .memberMuted, call: "c", participant: "p", text: "dee muted")),
                Golden.event
            ),
            (
                .event(
                    EventUpdate(
                        time: 5, kind: .chat, call: "c", participant: "p", text: "dee: one two", message: "one\ntwo")),
                Golden.chat
            ),
        ]
        for (update, golden) in updates {
            #expect(line(try update.message()) == golden + "\n")
            guard case .request(_, let method, let params) = try RPCMessage(line: Array(golden.utf8)) else {
                Issue.record("not a notification: \(golden)")
                continue
            }
            #expect(try Update(method: method, params: params) == update)
        }
    }

    @Test func theMethodTableHasItsText() {
        let table = Method.all.map { method in
            let parameters = method.parameters.map { ($0.isRequired ? "" : "[") + $0.name + ($0.isRequired ? "" : "]") }
            return ([method.name + (method.isFrozen ? "!" : "")] + parameters).joined(separator: " ")
        }
        #expect(table.joined(separator: "\n") == Golden.methods)
    }

    @Test(arguments: [
        ("nonsense", -32700), ("[1]", -32600), (#"{"method":"x"}"#, -32600),
        (#"{"jsonrpc":"2.0","id":[],"method":"x"}"#, -32600), (#"{"jsonrpc":"2.0","method":5}"#, -32600),
        (#"{"jsonrpc":"2.0","id":1}"#, -32600),
    ])
    func aBadLineIsRefusedWithItsCode(text: String, code: Int) {
        #expect(throws: RPCError.self) { try RPCMessage(line: Array(text.utf8)) }
        do {
            _ = try RPCMessage(line: Array(text.utf8))
        } catch {
            #expect(error.code == code)
        }
    }

    @Test func mutatedLinesAreReadOrRefused() throws {
        let corpus = [Golden.state, Golden.statistics, Golden.patch].map { Array($0.utf8) }
        var random = SplitMix64(seed: 11)
        for round in 0..<20_000 {
            var bytes = corpus[round % corpus.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if case .request(_, let method, let params)? = try? RPCMessage(line: bytes) {
                _ = try? Update(method: method, params: params)
            }
        }
    }

    @Test func everyPrefixIsReadOrRefused() {
        let bytes = Array(Golden.state.utf8)
        for count in 0..<bytes.count {
            #expect(throws: RPCError.self) { try RPCMessage(line: bytes.prefix(count)) }
        }
    }

    @Test func deepNestingIsRefused() {
        let text = String(repeating: "[", count: 100_000)
        #expect(throws: RPCError.self) { try RPCMessage(line: Array(text.utf8)) }
    }

    @Test func theMirrorFollowsPatchesAndNoticesAGap() throws {
        var state = exampleState()
        var mirror = StateMirror()
        #expect(try mirror.apply(.state(revision: 1, state)))
        let before = try JSONValue(encoding: state)
        state.calls["c"]?.people["p"] = nil
        state.activeCall = nil
        let patch = try #require(MergePatch.difference(from: before, to: try JSONValue(encoding: state)))
        #expect(try mirror.apply(.patch(revision: 2, patch)))
        #expect(mirror.state == state)
        #expect(try mirror.apply(.patch(revision: 4, patch)) == false)
    }
}
