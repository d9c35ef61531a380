/// The delay that playout has: its low envelope over 500 ms, so that a device which asks late and then twice at once
/// does not appear as delay, and one which asks early is served.
struct PlayoutDelay: Sendable {
    private static let blockCount = 5
    private static let pullsPerBlock = 10

    private var minima = [Int](repeating: .max, count: PlayoutDelay.blockCount)
    private var block = 0
    private var pullCount = 0

    /// Takes the offset (clock minus media time, in samples) at which a frame is played.
    mutating func record(offset: Int) {
        if pullCount == Self.pullsPerBlock {
            pullCount = 0
            block = (block + 1) % Self.blockCount
            minima[block] = .max
        }
        pullCount += 1
        minima[block] = min(minima[block], offset)
    }

    /// The least offset of the window; `nil` when nothing was recorded since the reset.
    var lowOffset: Int? {
        var least = Int.max
        for index in minima.indices { least = min(least, minima[index]) }
        return least == .max ? nil : least
    }

    /// Accounts for `samples` put into the stream (negative: taken out) by time stretching.
    mutating func shift(by samples: Int) {
        for index in minima.indices where minima[index] != .max { minima[index] = minima[index] &+ samples }
    }

    mutating func reset() {
        for index in minima.indices { minima[index] = .max }
        pullCount = 0
    }
}
