import ControlProtocol

/// The latest messages of a call: 200 at most, and 64 KiB of text, so that a whole state stays one line of the socket.
struct ChatLog: Sendable {
    static let messageLimit = 200
    static let byteLimit = 65_536

    /// The messages by number, as consoles get them.
    private(set) var encoded: [String: JSONValue] = [:]
    private var sizes: [Int] = []
    private var byteCount = 0
    private var lastNumber = 0

    mutating func append(_ message: ChatMessage) {
        guard let value = try? JSONValue(encoding: message) else { return }
        lastNumber += 1
        encoded["\(lastNumber)"] = value
        sizes.append(message.text.utf8.count)
        byteCount += message.text.utf8.count
        while sizes.count > Self.messageLimit || byteCount > Self.byteLimit {
            encoded["\(lastNumber - sizes.count + 1)"] = nil
            byteCount -= sizes.removeFirst()
        }
    }
}
