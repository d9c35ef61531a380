import ControlProtocol
import Primitives

/// The way to a browser that answers numbered commands: the DevTools protocol and WebDriver BiDi alike.
final class CommandChannel {
    private let send: (JSONValue) throws -> Void
    private let receive: (MonoTime) throws -> JSONValue?
    private var lastID = 0

    /// `receive` gives the next message, an answer or not; `nil` at the deadline.
    init(send: @escaping (JSONValue) throws -> Void, receive: @escaping (MonoTime) throws -> JSONValue?) {
        self.send = send
        self.receive = receive
    }

    /// The result of a command; `members` stand beside its parameters.
    func command(
        _ method: String, _ parameters: [String: JSONValue], members: [String: JSONValue] = [:], within limit: Duration
    ) throws -> JSONValue {
        lastID += 1
        let message: [String: JSONValue] = [
            "id": .integer(lastID), "method": .string(method), "params": .object(parameters),
        ]
        try send(.object(message.merging(members) { own, _ in own }))
        let deadline = MonoTime.now() + limit
        while let answer = try receive(deadline) {
            guard answer["id"]?.integerValue == lastID else { continue }
            if answer["error"] != nil { throw BrowserFailure(description: "\(method): \(answer.text)") }
            return answer["result"] ?? .null
        }
        throw BrowserFailure(description: "\(method): no answer within \(limit)")
    }
}
