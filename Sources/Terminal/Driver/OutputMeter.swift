package import Primitives

/// Counts what the console writes to its terminal.
package struct OutputMeter: Hashable, Sendable {
    package private(set) var bytes = 0
    package private(set) var frames = 0
    /// Frames that were not drawn because the terminal had not taken the one before.
    package private(set) var skippedFrames = 0
    /// Bytes in the last whole second of `bytesPerSecond`.
    private var lastSecond = 0
    private var second: Int64 = 0
    private var inSecond = 0

    package init() {}

    mutating func wrote(_ count: Int, at now: MonoTime) {
        roll(to: now)
        bytes += count
        inSecond += count
    }

    mutating func drew() {
        frames += 1
    }

    mutating func skipped() {
        skippedFrames += 1
    }

    /// Bytes written in the whole second before the present one.
    package mutating func bytesPerSecond(at now: MonoTime) -> Int {
        roll(to: now)
        return lastSecond
    }

    private mutating func roll(to now: MonoTime) {
        let current = now.nanoseconds / 1_000_000_000
        guard current != second else { return }
        lastSecond = current == second + 1 ? inSecond : 0
        (second, inSecond) = (current, 0)
    }
}
