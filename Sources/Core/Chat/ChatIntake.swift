import Primitives
import Transport

/// What one peer writes, bounded: 10 messages a second in the long run, 50 at once.
struct ChatIntake: Sendable {
    enum Outcome: Hashable, Sendable {
        case text(ChatText)
        /// No chat message, or one that cannot be shown.
        case malformed
        /// One too many; `isFirst` where the one before was taken.
        case tooFast(isFirst: Bool)
    }

    private var bucket: TokenBucket
    private var isTooFast = false
    private(set) var receivedCount = 0
    /// Of all messages, also those not taken.
    private(set) var byteCount = 0
    private(set) var malformedCount = 0
    private(set) var droppedCount = 0

    init(at now: MonoTime) {
        bucket = TokenBucket(rate: 10, burst: 50, at: now)
    }

    mutating func receive(_ message: DataMessage, at now: MonoTime) -> Outcome {
        byteCount += message.byteCount
        guard bucket.take(1, at: now) else {
            defer { isTooFast = true }
            droppedCount += 1
            return .tooFast(isFirst: !isTooFast)
        }
        isTooFast = false
        guard case .text(let frame) = message, let text = ChatFrame.decode(frame) else {
            malformedCount += 1
            return .malformed
        }
        receivedCount += 1
        return .text(text)
    }
}
