/// How long and how often someone is rung (Q2, Q5).
package struct RingSettings: Hashable, Sendable {
    package static let answerRange = 10...60
    package static let leastDialingSeconds = 3

    /// How long each person has to answer.
    package let answerInterval: Duration
    /// How often the invite is repeated until then.
    package let dialingInterval: Duration

    /// The defaults: 45 s to answer, an invite each 5 s.
    package init() {
        answerInterval = .seconds(45)
        dialingInterval = .seconds(5)
    }

    /// Seconds; a value out of range is refused, not clamped.
    package init(answerSeconds: Int, dialingSeconds: Int) throws(RingSettingsError) {
        guard Self.answerRange.contains(answerSeconds) else {
            throw .answerOutOfRange(seconds: answerSeconds)
        }
        guard (Self.leastDialingSeconds...Self.answerRange.upperBound).contains(dialingSeconds) else {
            throw .dialingOutOfRange(seconds: dialingSeconds)
        }
        answerInterval = .seconds(answerSeconds)
        dialingInterval = .seconds(dialingSeconds)
    }
}

/// Why ringing cannot be set so.
package enum RingSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    case answerOutOfRange(seconds: Int)
    case dialingOutOfRange(seconds: Int)

    package var description: String {
        switch self {
        case .answerOutOfRange(let seconds):
            """
            answer interval \(seconds) s: out of range; \
            use \(RingSettings.answerRange.lowerBound) to \(RingSettings.answerRange.upperBound) s
            """
        case .dialingOutOfRange(let seconds):
            """
            dialing interval \(seconds) s: out of range; \
            use \(RingSettings.leastDialingSeconds) to \(RingSettings.answerRange.upperBound) s
            """
        }
    }
}
