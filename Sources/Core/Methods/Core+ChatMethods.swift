import ControlProtocol
import Reactor
import Signaling

/// Methods on the chat.
extension Core {
    func addChatMethods() {
        server.handle("chat.send") { [calls] arguments throws(RPCError) in
            let call = try calls.call(arguments.string("call"))
            var some: [RoomMember]?
            if let names = arguments.strings("to") {
                some = []
                for name in names { some?.append(try call.member(named: name)) }
            }
            let outcome = call.say(try Self.text(arguments.string("text") ?? ""), to: some)
            guard !outcome.reached.isEmpty else { throw Self.reachedNobody(outcome, in: call) }
            return .object([
                "reached": .array(outcome.reached.map { .string($0.rawValue) }),
                "unreached": .object(
                    Dictionary(uniqueKeysWithValues: outcome.unreached.map { ($0.rawValue, .string($1)) })),
            ])
        }
    }

    private static func text(_ text: String) throws(RPCError) -> ChatText {
        do {
            return try ChatText(checking: text)
        } catch {
            throw .invalidParams("parameter “text”: \(error)")
        }
    }

    private static func reachedNobody(_ outcome: RoomCall.ChatOutcome, in call: RoomCall) -> RPCError {
        let reasons = outcome.unreached.map { "\(call.name(of: $0)): \($1)" }.sorted()
        return .failed(
            reasons.isEmpty
                ? "nobody else is in \(call.room)" : "nobody got the message: \(reasons.joined(separator: "; "))")
    }
}
