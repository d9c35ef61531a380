/// Messages in the order in which they go out.
struct SendQueue: Sendable {
    /// Whether the stack has refused the first one for want of room.
    var isBlocked = false
    private(set) var byteCount = 0
    private var messages: [SCTPMessage] = []
    private var head = 0

    var first: SCTPMessage? {
        head < messages.count ? messages[head] : nil
    }

    mutating func append(_ message: SCTPMessage) {
        messages.append(message)
        byteCount += message.bytes.count
    }

    mutating func removeFirst() {
        guard head < messages.count else { return }
        byteCount -= messages[head].bytes.count
        messages[head].bytes = []
        head += 1
        guard head * 2 >= messages.count else { return }
        messages.removeSubrange(..<head)
        head = 0
    }

    /// Whether a message of that stream waits.
    func holds(_ stream: UInt16) -> Bool {
        messages[head...].contains { $0.stream == stream }
    }
}
