package import Primitives

/// Something that harms the sound for a moment (L20).
package enum AudioHealth: String, Hashable, Sendable, CaseIterable {
    /// The server ran out of our sound.
    case underflow
    /// Captured sound was lost.
    case overflow
    /// The clock of a device without hardware came late.
    case lateTick
    /// The server's clock stood still.
    case stall
}

/// Lets each kind of trouble be told at once, then at most once in five minutes, with how often it happened (L20).
package struct HealthLimiter: Sendable {
    package static let interval = Duration.seconds(300)

    private var told: [AudioHealth: MonoTime] = [:]
    private var untold: [AudioHealth: Int] = [:]

    package init() {}

    /// Takes `count` more of `kind`. Returns how many are to be told now, or `nil`.
    package mutating func take(_ kind: AudioHealth, count: Int, at now: MonoTime) -> Int? {
        guard count > 0 || untold[kind, default: 0] > 0 else { return nil }
        untold[kind, default: 0] += count
        if let last = told[kind], now - last < Self.interval { return nil }
        told[kind] = now
        defer { untold[kind] = 0 }
        return untold[kind]
    }
}
