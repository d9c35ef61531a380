import ControlProtocol

/// The chat, which comes with the state, so that a console that attaches late has it too.
extension ConsoleModel {
    /// Takes over what was written since the last time.
    mutating func takeChat() {
        // A core that was started anew counts anew.
        if state.core.startedAt != chatOfCore { (chatOfCore, chatTaken) = (state.core.startedAt, [:]) }
        for call in state.calls.values.sorted(by: { $0.id < $1.id }) {
            for (number, message) in call.chatInOrder where number > chatTaken[call.id] ?? 0 {
                chatTaken[call.id] = number
                let isMine = message.from == call.myId
                if !isMine { unreadChat += 1 }
                let name = isMine ? "you" : message.name
                let some = message.to.map { " to " + $0.map { call.people[$0]?.name ?? $0 }.joined(separator: ", ") }
                log.add("\(name)\(some ?? ""): \(message.text)", .chat, at: message.time)
            }
        }
    }

    /// Sends what was typed at a message's prompt.
    mutating func send(_ prompt: TextPrompt, _ text: String) {
        unreadChat = 0
        var params: [String: JSONValue] = ["text": .string(text)]
        if case .tell(let id, _) = prompt.purpose { params["to"] = .array([.string(id)]) }
        ask("chat.send", params, .chat(prompt))
    }

    /// Who of those that were written to could not be reached, and why.
    mutating func chatSent(_ result: JSONValue) {
        guard case .object(let unreached) = result["unreached"], !unreached.isEmpty else { return }
        let names = unreached.sorted { $0.key < $1.key }.map { "\(name(of: $0.key)): \($0.value.stringValue ?? "")" }
        say("not reached: \(names.joined(separator: "; "))", .warning)
    }

    /// What was refused is not lost: it can be mended and sent again.
    mutating func chatRefused(_ prompt: TextPrompt, _ why: String) {
        say("not sent: \(why)", .error)
        if overlay == nil { overlay = .text(prompt) }
    }
}
