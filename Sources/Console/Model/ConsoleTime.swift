package import Primitives

/// An instant on both clocks: decisions are made by the one, times of day are shown from the other.
package struct ConsoleTime: Hashable, Sendable {
    package var mono: MonoTime
    /// Milliseconds since 1970.
    package var wallMs: Int

    package init(mono: MonoTime, wallMs: Int) {
        self.mono = mono
        self.wallMs = wallMs
    }

    package static func + (time: ConsoleTime, duration: Duration) -> ConsoleTime {
        ConsoleTime(mono: time.mono + duration, wallMs: time.wallMs + Int(duration.nanoseconds / 1_000_000))
    }
}
