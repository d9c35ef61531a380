/// One message of a call's chat.
package struct ChatMessage: Codable, Hashable, Sendable {
    /// Milliseconds since 1970, by the clock of this core.
    package var time: Int
    /// The sender's id; the call's `myId` for what was written here.
    package var from: String
    /// The sender's name at the time.
    package var name: String
    /// 1…4000 bytes; its only control character is the new line.
    package var text: String
    /// Written here for these alone, by id; absent: for everybody.
    package var to: [String]?

    package init(time: Int, from: String, name: String, text: String, to: [String]? = nil) {
        self.time = time
        self.from = from
        self.name = name
        self.text = text
        self.to = to
    }

    /// The message in one line, behind its sender's name.
    package var line: String {
        "\(name): \(text.replacing("\n", with: " "))"
    }
}

extension CallState {
    /// The chat from the oldest message to the newest, each with its number.
    package var chatInOrder: [(number: Int, message: ChatMessage)] {
        chat.compactMap { key, message in Int(key).map { ($0, message) } }.sorted { $0.0 < $1.0 }
    }
}
